import { setTimeout as pause } from 'node:timers/promises';
import { seconds, slowestOf, ledgerSummary, underLoad } from './crashes.ts';
import { failuresIn, signInCall, statuses, within } from './load.ts';
import type { Person } from './people.ts';
import { type Drill, type Scenario, unless } from './scenario.ts';
import type { Stage } from './stage.ts';
import { cookieFrom, type Wire, wireTo } from './wire.ts';

const SPREAD_GOAL_MS = 1000;

/**
 * The time until both processes refuse a session that was ended at one of them, and whether each refused its
 * next request.
 */
async function spread(stage: Stage, [here, there]: readonly [Wire, Wire], person: Person) {
  const signIn = async () => `portico=${cookieFrom(await stage.wire.ask(signInCall(person)), 'portico')}`;
  const [own, other] = [await signIn(), await signIn()];
  const isOpen = async (wire: Wire) =>
    (await wire.ask({ method: 'GET', path: '/api/orgs', cookie: other })).status !== 401;
  if (!(await isOpen(here)) || !(await isOpen(there))) throw new Error('the session never opened');
  const reply = await here.ask({
    method: 'DELETE',
    path: '/api/usersession',
    cookie: own,
    body: { others: 1 },
  });
  if (reply.status !== 200) throw new Error(`ending the other sessions was ${reply.status}`);
  const began = performance.now();
  let isNext = true;
  for (; (await isOpen(there)) || (await isOpen(here)); isNext = false)
    if (performance.now() - began > 10 * SPREAD_GOAL_MS) throw new Error('the session never ended');
  return { ms: performance.now() - began, isNext };
}

const revocation: Scenario = {
  ids: ['R17'],
  name: 'A session ends at one process',
  needs: 'cluster',
  async run(drill) {
    const { stage } = drill;
    const rounds = drill.rounds(50, 200);
    const options = { host: new URL(stage.url).host };
    const [first, second] = [wireTo(stage.portals[0].url, options), wireTo(stage.portals[1].url, options)];
    const spreads: Awaited<ReturnType<typeof spread>>[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const person = stage.spares[round % stage.spares.length];
      if (person) spreads.push(await spread(stage, round % 2 ? [second, first] : [first, second], person));
    }
    first.close();
    second.close();
    const late = spreads.filter(({ ms, isNext }) => !isNext || ms > SPREAD_GOAL_MS);
    const breaches = [
      ...(late.length > 0 ? [`${late.length} were served once more`] : []),
      ...(await stage.breaches()),
    ];
    const summary = `${spreads.length - late.length} of ${rounds} on the next request, ≤ ${Math.round(slowestOf(spreads))} ms`;
    return [drill.figure({ id: 'R17', ...unless(breaches, summary) })];
  },
};

const FREE_FAILURES = 5;
const TRIES = 8;
/** Time for the processes to reconnect. */
const BACK_MS = 5000;
const SLOW_MS = 5000;

/** The statuses of password guesses: five are checked, then they have to wait. */
async function guesses({ wire }: Stage, person: Person): Promise<number[]> {
  const guess = {
    ...signInCall(person),
    body: { email_id: person.email, password: 'a wrong guess', timezone: 'UTC' },
  };
  const answers: number[] = [];
  for (let tries = 0; tries < TRIES; tries += 1) answers.push((await wire.ask(guess)).status);
  return answers;
}

const unlimitedGuesses = (when: string, answers: readonly number[]) =>
  answers.slice(0, FREE_FAILURES).every((status) => status === 401) && answers.includes(429)
    ? []
    : [`${when} guesses were answered ${answers.join()}`];

const redisLost: Scenario = {
  ids: ['L11'],
  name: 'Redis is lost under load',
  needs: 'cluster',
  async run(drill: Drill) {
    const { stage } = drill;
    const lasts = drill.seconds(10, 60);
    const [first, second, third] = stage.spares;
    if (!first || !second || !third) throw new Error('there is nobody');
    const { result, leftovers, ledger, samples } = await underLoad(stage, async () => {
      await stage.redis.end('SIGKILL');
      const without = await guesses(stage, first);
      await pause(1000 * lasts);
      await stage.redis.start();
      await pause(BACK_MS);
      const again = await guesses(stage, second);
      const from = performance.now();
      stage.redis.freeze();
      const silent = await guesses(stage, third);
      await pause(1000 * lasts);
      stage.redis.thaw();
      const to = performance.now();
      await pause(BACK_MS);
      return { without, again, silent, from, to };
    });
    const slowest = slowestOf(within(samples, result.from, result.to));
    const breaches = [
      ...leftovers,
      ...(failuresIn(samples).length > 0 ? [statuses(failuresIn(samples))] : []),
      ...unlimitedGuesses('without Redis', result.without),
      ...unlimitedGuesses('with a silent Redis', result.silent),
      ...(slowest > SLOW_MS ? [`with a silent Redis an answer took ${seconds(slowest)}`] : []),
      ...unlimitedGuesses('with Redis back', result.again),
      ...(await stage.breaches({ ledgers: [ledger] })),
    ];
    const summary = `dead and silent for ${lasts} s each: ${statuses(samples)}, slowest ${seconds(slowest)}; ${ledgerSummary(ledger)}; guesses always limited`;
    return [drill.figure({ id: 'L11', ...unless(breaches, summary) })];
  },
};

export const sessionScenarios: readonly Scenario[] = [revocation, redisLost];
