import { setTimeout as pause } from 'node:timers/promises';
import { Ledger } from './ledger.ts';
import { failed, percentile, signInCall, startLoad, statuses } from './load.ts';
import { type Scenario, unless } from './scenario.ts';
import { HOST, startSingle } from './single.ts';
import { type Reply, wireTo } from './wire.ts';

/** Networks from which strangers guess, each with so many guesses under way. */
const NETWORKS = 200;
const GUESSES_EACH = 2;

/** Guesses from many networks, for as long as they last: what each came to, but for no answer at the end. */
function startFlood(url: string) {
  const wire = wireTo(url, { host: HOST, sockets: NETWORKS * GUESSES_EACH });
  const replies: Reply[] = [];
  const end = new AbortController();
  const guess = async (nth: number) => {
    for (let times = 0; !end.signal.aborted; times += 1) {
      const reply = await wire.ask({
        method: 'POST',
        path: '/api/signin',
        body: { email_id: `nobody${nth}.${times}@northwind.example`, password: 'not mine', timezone: '' },
        // Twenty a minute are let through, so a network lasts for ten guesses of each line and makes way.
        from: `198.18.${times % 250}.${nth % 250}`,
      });
      if (!end.signal.aborted) replies.push(reply);
    }
  };
  const lines = Array.from({ length: NETWORKS * GUESSES_EACH }, (_, nth) => guess(nth));
  return {
    replies,
    end: async () => {
      end.abort();
      await Promise.all(lines);
      wire.close();
    },
  };
}

export const hashFlood: Scenario = {
  ids: ['M4'],
  name: 'A flood of passwords',
  needs: 'alone',
  run: async (drill) => {
    const { portal, people, wire, ...single } = await startSingle(drill, 'hash-flood');
    const broken: string[] = [];
    const ledger = new Ledger();
    const flood = startFlood(portal.url);
    await pause(2000);
    const load = startLoad({ wire, people, rate: 20, mix: { writes: 15, signIns: 0 }, ledger });
    await pause(drill.seconds(20, 120) * 1000);
    const signedIn = await load.stop();
    await flood.end();
    const codes = new Set(flood.replies.map(({ status }) => status));
    for (const { status, hasRetryAfter } of flood.replies)
      if (![401, 429, 503].includes(status) || (status !== 401 && !hasRetryAfter))
        broken.push(`a guess was answered ${status}${hasRetryAfter ? '' : ' without Retry-After'}`);
    if (!codes.has(503)) broken.push('the queue was never full');
    const p99 = percentile(signedIn, 99);
    if (!(p99 <= 1000)) broken.push('who is signed in waits for more than a second');
    if (failed(signedIn).length > 0) broken.push(`who is signed in was answered ${statuses(signedIn)}`);
    const began = performance.now();
    const [somebody] = people;
    if (somebody && (await wire.ask(signInCall(somebody))).status !== 200)
      broken.push('nobody can sign in after it');
    const after = performance.now() - began;
    if (after > 5000) broken.push('signing in after it takes longer than five seconds');
    broken.push(...(await single.broken({ ledgers: [ledger] })));
    const guesses = Object.entries(Object.groupBy(flood.replies, ({ status }) => status));
    const came = guesses.map(([status, all]) => `${all?.length} × ${status}`).join(', ');
    return [
      drill.figure({
        id: 'M4',
        goal: 'beyond 64 that wait: 429 or 503 with Retry-After; signed in p99 ≤ 1 s',
        ...unless(
          broken,
          `${flood.replies.length} guesses, ${NETWORKS * GUESSES_EACH} at once: ${came}; ${signedIn.length} calls of people signed in, p99 ${p99.toFixed(0)} ms; a sign-in right after it ${after.toFixed(0)} ms`,
        ),
      }),
    ];
  },
};
