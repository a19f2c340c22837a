import type { FastifyRequest } from 'fastify';
import { image } from '#contract/drive.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { SECOND_MS } from '#server/clock.ts';
import { boundedQueue } from '#server/bounded-queue.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Room for the calls of the whole process. */
    readonly room: Room;
  }
}

type Line = ReturnType<typeof boundedQueue>;
/** The lines in which calls wait for their turn, network by network; whoever finds no place in theirs is told at once. */
type Room = Readonly<Record<'readers' | 'pictures' | 'changes' | 'strangers', Line>>;

/**
 * What passes is waited out, as when a disk stands still for half a second or another process of the portal starts beside
 * this one; who has waited longer is told within the second that people at work are promised.
 */
const PASSING_MS = 0.9 * SECOND_MS;
/**
 * As many as keep the database busy, of those who read and of those who look at pictures: where the place of the pictures
 * hangs, reads go on. In an overload that stays, there has to be time left for the work within the second.
 */
const signedIn = { atOnce: 16, waiting: 48, patienceMs: PASSING_MS, pressedMs: 0.75 * SECOND_MS };
/**
 * Where commits hang, reads go on, too. More would only wait again, for one of the five connections there are for changes; and
 * each takes some statements, which an overload makes slow.
 */
const changing = { atOnce: 6, waiting: 48, patienceMs: PASSING_MS, pressedMs: 0.5 * SECOND_MS };
/** One whose password is hashed and one that is counted meanwhile; in line, whoever knocks for the first time has patience. */
const strangers = { aHash: 2, waiting: 64, patienceMs: 5 * SECOND_MS, pressedMs: 5 * SECOND_MS };

/**
 * Room in a process that computes so many hashes at once: a flood of sign-ins takes no place from people at work. Whoever
 * waits in line has so many times the usual patience.
 */
export function roomFor(hashes: number, times = 1): Room {
  const line = ({ atOnce, waiting, patienceMs, pressedMs }: typeof signedIn) =>
    boundedQueue(atOnce, waiting, times * patienceMs, times * pressedMs);
  return {
    readers: line(signedIn),
    pictures: line(signedIn),
    changes: line(changing),
    strangers: line({ ...strangers, atOnce: strangers.aHash * hashes }),
  };
}

/** Who has waited for longer is told by the balancer as a rule; more likely its clock is another one. */
const WAITED_MAX_MS = 5 * SECOND_MS;

/**
 * How long a request was on its way from the balancer, which says in X-Request-Start when it came there: `t=` and
 * milliseconds since 1970, or seconds with a fraction. What somebody waited there counts, or who waits in two lines waits
 * twice as long. Whoever lies says at most that they have no patience.
 */
export function waitedMs({ headers }: Pick<FastifyRequest, 'headers'>): number {
  const said = /^t=(?:(?<seconds>\d{10}\.\d{3,})|(?<ms>\d{13}))$/.exec(String(headers['x-request-start']));
  const { seconds, ms } = said?.groups ?? {};
  const waited = Date.now() - (ms === undefined ? Number(seconds) * SECOND_MS : Number(ms));
  return waited > 0 && waited < WAITED_MAX_MS ? waited : 0;
}

/** The line of a call. None where it waits in one of its own, as forms do for images, or for other people's servers. */
export function lineFor(room: Room, endpoint: Endpoint): Line | undefined {
  const { access, body, method, output, alsoWrites, waitsElsewhere } = endpoint;
  if (body === 'form' || waitsElsewhere) return undefined;
  if (output === image) return room.pictures;
  if (method === 'GET' && !alsoWrites) return room.readers;
  return access === 'public' ? room.strangers : room.changes;
}
