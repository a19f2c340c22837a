import { setTimeout as pause } from 'node:timers/promises';
import { measureLeftovers } from './invariants.ts';
import { Ledger } from './ledger.ts';
import { failuresIn, percentile, signInCall, startLoad, statuses, within } from './load.ts';
import { atEachSite, type Site } from './site.ts';
import type { Drill, Scenario } from './scenario.ts';
import { HOST } from './single.ts';
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

async function runFlood(drill: Drill, { entry, people, wire, ...site }: Site) {
  const breaches: string[] = [];
  const ledger = new Ledger();
  const [person] = people;
  if (!person) throw new Error('there is nobody');
  await using load = startLoad({ wire, people, rate: 20, mix: { writes: 15, signIns: 0 }, ledger });
  await pause(2000);
  const { result, leftovers } = await measureLeftovers(site.portals, async () => {
    await using flood = startFlood(entry.url, HOST);
    const [from, lasts] = [performance.now() + 2000, drill.seconds(20, 120) * 1000];
    await pause(2000 + lasts);
    const replies = await flood.end();
    return { from, to: from + lasts, replies, next: await wire.ask(signInCall(person)) };
  });
  const { from, to, replies, next } = result;
  const samples = within(await load.stop(), from, to);
  breaches.push(...rudeToGuesses(replies));
  if (!replies.some(({ status, failure }) => status === 503 && failure === 'the portal'))
    breaches.push('the queue was never full');
  const p99 = percentile(samples, 99);
  if (!(p99 <= 1000)) breaches.push('signed-in people wait for more than a second');
  if (failuresIn(samples).length > 0) breaches.push(`signed-in people were answered ${statuses(samples)}`);
  if (next.status !== 200) breaches.push('nobody can sign in after it');
  if (next.ms > 5000) breaches.push('signing in after it takes longer than five seconds');
  breaches.push(...leftovers, ...(await site.breaches({ ledgers: [ledger] })));
  const summary = `${replies.length} guesses: ${statuses(replies)}; signed-in p99 ${p99.toFixed(0)} ms; next sign-in ${next.ms.toFixed(0)} ms`;
  return [{ id: 'M4', breaches, summary } as const];
}

export const hashFlood: Scenario = {
  ids: ['M4'],
  name: 'A flood of passwords',
  needs: 'places',
  run: (drill) => atEachSite(drill, 'hash-flood', (site) => runFlood(drill, site)),
};
