import type { FastifyReply, FastifyRequest } from 'fastify';
import { image } from '#contract/drive.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { SECOND_MS } from '#server/clock.ts';
import { type Asker, boundedQueue } from '#server/bounded-queue.ts';
import { clientAddress } from '#server/http/client-address.ts';
import { cookiesOf } from '#server/http/cookies.ts';
import { ipPrefix } from '#server/ip-prefix.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** The queues for the calls of this process. */
    readonly admission: Admission;
  }
}

type Line = ReturnType<typeof boundedQueue>;
/**
 * The queues in which calls wait for their turn, by network. A call is refused at once if its queue is full.
 */
type Admission = Readonly<Record<QueueName, Line>>;
export type QueueName = 'readers' | 'pictures' | 'changes' | 'forms' | 'strangers' | 'elsewhere';

/**
 * A short stall is waited out, as when a disk hangs for half a second or another process of the portal
 * starts. Longer waits are refused, because signed-in people get an answer within a second.
 */
const PASSING_MS = 0.9 * SECOND_MS;
/**
 * Enough to keep the database busy. Readers and pictures have a queue each, so that reads go on when the
 * image storage hangs. `pressedMs` leaves time for the work itself within the second.
 */
const signedIn = { atOnce: 16, waiting: 48, patienceMs: PASSING_MS, pressedMs: 0.75 * SECOND_MS };
/**
 * A queue of its own, so that reads go on when commits hang. More would only wait again for the five
 * connections for changes. Each runs several statements, slow in an overload, so `pressedMs` is shorter.
 */
const changing = { atOnce: 6, waiting: 48, patienceMs: PASSING_MS, pressedMs: 0.5 * SECOND_MS };
/**
 * A form holds up to 5 MB of memory from its first byte until its picture is stored, and its sender decides
 * how long that takes. So a process reads 16 at a time, four per network, and the rest waits unread. A body
 * must arrive within half a minute after its head, and the wait leaves most of that time.
 */
const forms = { atOnce: 16, each: 4, waiting: 48, patienceMs: 8 * SECOND_MS, pressedMs: 4 * SECOND_MS };
/** Calls that wait for a foreign server, up to five seconds each: they block no others. */
const elsewhere = { atOnce: 32, each: 8, waiting: 48, patienceMs: 5 * SECOND_MS, pressedMs: 2 * SECOND_MS };
/**
 * Two slots per hash: one is hashed while the other passes its limits. A newcomer is willing to wait longer.
 */
const strangers = { aHash: 2, waiting: 64, patienceMs: 5 * SECOND_MS, pressedMs: 5 * SECOND_MS };

/**
 * The queues of a process that computes `hashes` hashes at once: a flood of sign-ins takes no slot from
 * people at work. All patience is multiplied by `times`.
 */
export function admissionFor(hashes: number, times = 1): Admission {
  const line = ({ atOnce, each, waiting, patienceMs, pressedMs }: typeof signedIn & { each?: number }) =>
    boundedQueue(atOnce, waiting, times * patienceMs, times * pressedMs, each);
  return {
    readers: line(signedIn),
    pictures: line(signedIn),
    changes: line(changing),
    forms: line(forms),
    strangers: line({ ...strangers, atOnce: strangers.aHash * hashes }),
    elsewhere: line(elsewhere),
  };
}

/** Larger values mean clock skew: the balancer itself gives up earlier. */
const WAITED_MAX_MS = 5 * SECOND_MS;

/**
 * How long a request waited at the balancer, which writes its arrival into X-Request-Start: `t=` and
 * milliseconds since 1970, or seconds with a fraction. It counts, because a caller would otherwise wait
 * twice. A forged header only shortens the sender's own patience.
 */
export function waitedMs({ headers }: Pick<FastifyRequest, 'headers'>): number {
  const said = /^t=(?:(?<seconds>\d{10}\.\d{3,})|(?<ms>\d{13}))$/.exec(String(headers['x-request-start']));
  const { seconds, ms } = said?.groups ?? {};
  const waited = Date.now() - (ms === undefined ? Number(seconds) * SECOND_MS : Number(ms));
  return waited > 0 && waited < WAITED_MAX_MS ? waited : 0;
}

/** The queue of a call. */
export function queueOf(endpoint: Endpoint): QueueName {
  const { access, body, method, output, alsoWrites, waitsElsewhere } = endpoint;
  if (waitsElsewhere) return 'elsewhere';
  if (body === 'form') return 'forms';
  if (output === image) return 'pictures';
  if (method === 'GET' && !alsoWrites) return 'readers';
  return access === 'public' ? 'strangers' : 'changes';
}

/** The key of a caller in a queue. The session is unproven, so it only decides turns within the network. */
export const askerOf = (request: FastifyRequest, reply: FastifyReply): Asker => [
  ipPrefix(clientAddress(request)),
  cookiesOf(request, reply).session.value ?? '',
];
