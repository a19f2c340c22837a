import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Endpoint } from '#contract/endpoint.ts';
import type { OrgId } from '#contract/wire.ts';
import { SECOND_MS } from '#server/clock.ts';
import { boundedQueue, type QueueKey } from '#server/bounded-queue.ts';
import { clientAddress } from './client-address.ts';
import { cookiesOf } from './cookies.ts';
import { ipPrefix } from '#server/ip-prefix.ts';

declare module 'fastify' {
  interface FastifyInstance {
    readonly admission: Admission;
  }
}

/** The queues in which calls wait for a slot. A full queue refuses a call at once. */
type Admission = Readonly<Record<QueueName, ReturnType<typeof boundedQueue>>>;
export type QueueName =
  | 'readers'
  | 'pictures'
  | 'changes'
  | 'forms'
  | 'strangers'
  | 'elsewhere'
  | 'directories';

/** A short stall, as of a hanging disk; signed-in people must get an answer within a second. */
const STALL_MS = 0.9 * SECOND_MS;
/** Readers and pictures have a queue each, so that reads go on when the image storage hangs. */
const signedIn = { slots: 16, waiting: 48, patienceMs: STALL_MS, overloadPatienceMs: 0.75 * SECOND_MS };
/** Apart, so that reads go on when commits hang. More slots would only wait for the five connections for changes. */
const changing = { slots: 6, waiting: 48, patienceMs: STALL_MS, overloadPatienceMs: 0.5 * SECOND_MS };
/** A form takes up to 5 MB from its first byte, and its sender decides how long: waiting forms are not read. */
const forms = {
  slots: 32,
  slotsEach: 2,
  waiting: 48,
  patienceMs: 8 * SECOND_MS,
  overloadPatienceMs: 4 * SECOND_MS,
};
/** Calls that wait for a foreign server, up to five seconds each: they block no others. */
const elsewhere = {
  slots: 32,
  slotsEach: 8,
  waiting: 48,
  patienceMs: 5 * SECOND_MS,
  overloadPatienceMs: 2 * SECOND_MS,
};
/** Company directories: programs, which wait and try again, so that they take few slots from people. */
const directories = {
  slots: 4,
  slotsEach: 2,
  waiting: 64,
  patienceMs: 10 * SECOND_MS,
  overloadPatienceMs: 5 * SECOND_MS,
};
/** Sign-ups and sign-ins. People wait longer for these. */
const strangers = { waiting: 64, patienceMs: 5 * SECOND_MS, overloadPatienceMs: 5 * SECOND_MS };
/** While one call hashes a password, the other checks its limits. */
const STRANGERS_PER_HASH = 2;

/** A flood of sign-ins takes no slot from people at work. All patience is multiplied by `factor`. */
export function admissionFor(hashes: number, factor = 1): Admission {
  const queue = ({ slots, waiting, ...limits }: typeof signedIn & { slotsEach?: number }) =>
    boundedQueue(slots, waiting, {
      slotsEach: limits.slotsEach,
      patienceMs: factor * limits.patienceMs,
      overloadPatienceMs: factor * limits.overloadPatienceMs,
    });
  return {
    readers: queue(signedIn),
    pictures: queue(signedIn),
    changes: queue(changing),
    forms: queue(forms),
    strangers: queue({ ...strangers, slots: STRANGERS_PER_HASH * hashes }),
    elsewhere: queue(elsewhere),
    directories: queue(directories),
  };
}

/** Larger values mean clock skew: the balancer itself gives up earlier. */
const WAITED_MAX_MS = 5 * SECOND_MS;

/** X-Request-Start: `t=` and milliseconds since 1970, or seconds. A forged one only shortens its sender's patience. */
export function waitedMs({ headers }: Pick<FastifyRequest, 'headers'>): number {
  const start = /^t=(?:(?<seconds>\d{10}\.\d{3,})|(?<ms>\d{13}))$/.exec(String(headers['x-request-start']));
  const { seconds, ms } = start?.groups ?? {};
  const waited = Date.now() - (ms === undefined ? Number(seconds) * SECOND_MS : Number(ms));
  return waited > 0 && waited < WAITED_MAX_MS ? waited : 0;
}

export function queueOf(endpoint: Endpoint): QueueName {
  const { access, answers, body, method, alsoWrites, waitsElsewhere } = endpoint;
  if (waitsElsewhere) return 'elsewhere';
  if (body === 'form') return 'forms';
  if (answers === 'image') return 'pictures';
  if (method === 'GET' && !alsoWrites) return 'readers';
  return access === 'public' ? 'strangers' : 'changes';
}

/** The turn of an organization, whose server the request waits for; the networks of its people take turns. */
export const turnOf = (orgId: OrgId, request: FastifyRequest): QueueKey => [
  `organization ${orgId}`,
  ipPrefix(clientAddress(request)),
];

/** The sender of a request. The session is unproven, so it only decides turns within the network. */
export const queueKeyOf = (request: FastifyRequest, reply: FastifyReply): QueueKey => [
  ipPrefix(clientAddress(request)),
  cookiesOf(request, reply).session.value ?? '',
];
