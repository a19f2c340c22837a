import { refuse, type Refusal } from '#contract/errors.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Room for the calls of the whole process. */
    readonly room: Room;
  }
}

export type Room = {
  isFull(): boolean;
  /** Does the work inside, or refuses at once when there is no room. */
  enter<T>(work: () => Promise<T>): Promise<T | Refusal<'unavailable'>>;
};

/** Come back in a second: a flood leaves as it came. */
export const noRoom = () => refuse('unavailable', { retryAfterSeconds: 1 });

/**
 * Room for so many pieces of work at once; whoever comes when it is full is told at once. So those inside are answered
 * soon, however many want in.
 */
export function roomFor(most: number): Room {
  let inside = 0;
  const isFull = () => inside >= most;
  return {
    isFull,
    enter: async (work) => {
      if (isFull()) return noRoom();
      inside += 1;
      try {
        return await work();
      } finally {
        inside -= 1;
      }
    },
  };
}
