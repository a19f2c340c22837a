import { refuse, type Refusal } from '#contract/errors.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Room for the calls of the whole process. */
    readonly room: Room;
  }
}

export type Room = <T>(work: () => Promise<T>) => Promise<T | Refusal<'unavailable'>>;

/**
 * Room for so many pieces of work at once; whoever comes when it is full is told at once to come back, in a second. So
 * those inside are answered soon, however many want in.
 */
export function roomFor(most: number): Room {
  let inside = 0;
  return async (work) => {
    if (inside >= most) return refuse('unavailable', { retryAfterSeconds: 1 });
    inside += 1;
    try {
      return await work();
    } finally {
      inside -= 1;
    }
  };
}
