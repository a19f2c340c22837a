import { setTimeout as pause } from 'node:timers/promises';
import { statuses } from './load.ts';
import { type Reply, wireTo } from './wire.ts';

/** Ten times the busiest rate of sign-ins, each guess from a different network. */
const GUESSES_A_SECOND = 200;
const TICK_MS = 5;

/** Sends guesses at a steady rate, however many are pending; returns all replies. */
export function startFlood(url: string, host = '') {
  const wire = wireTo(url, { host, sockets: 2000 });
  const replies: Promise<Reply>[] = [];
  const end = new AbortController();
  const guess = (nth: number) =>
    wire.ask({
      method: 'POST',
      path: '/api/signin',
      body: { email_id: `nobody${nth}@northwind.example`, password: 'not mine', timezone: '' },
      from: `198.18.${(nth >> 8) & 255}.${nth & 255}`,
    });
  const began = performance.now();
  const running = (async () => {
    for (; !end.signal.aborted; await pause(TICK_MS)) {
      const due = ((performance.now() - began) / 1000) * GUESSES_A_SECOND;
      while (replies.length < due) replies.push(guess(replies.length));
    }
  })();
  const stop = async () => {
    end.abort();
    await running;
    const all = await Promise.all(replies);
    wire.close();
    return all;
  };
  return { end: stop, [Symbol.asyncDispose]: async () => void (await stop()) };
}

/** A guess must be checked, or refused temporarily. */
export function rudeToGuesses(replies: readonly Reply[]): string[] {
  const rude = replies.filter(
    ({ status, hasRetryAfter }) => status !== 401 && !(hasRetryAfter && [429, 503].includes(status)),
  );
  return rude.length === 0 ? [] : [`guesses were answered ${statuses(rude)}`];
}
