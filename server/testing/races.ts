import { sql } from 'kysely';
import { expect } from 'vitest';
import type { Letter } from '#server/mail/transports.ts';
import { brokenRows } from './breaches.ts';
import { startBeside, type TestApp } from './start-app.ts';
import { useApp, useServer } from './use-app.ts';
import { type Answer, Visitor } from './visitor.ts';

const rounds = process.env['RACE_ROUNDS'];
/** The number of rounds: `few`, or RACE_ROUNDS (`npm run races` sets 200). */
export const roundsOr = (few: number) => (rounds === undefined ? few : Number(rounds));
/** How many requests race, and in how many rounds. */
export const CROWDS = [
  { crowd: 2, rounds: roundsOr(10) },
  { crowd: 20, rounds: roundsOr(4) },
] as const;
/** The timeout for a machine that runs the rest of the gate as well; an hour if RACE_ROUNDS is set. */
export const RACE_TIMEOUT = { timeout: rounds === undefined ? 120_000 : 3_600_000 };

export type Pair = readonly [TestApp, TestApp];

/** Two portals in one process, each with its own connections, on one database, key and clock. */
export function usePair(environment: Record<string, string> = {}): Pair {
  const first = useApp(environment);
  return [first, useServer(() => startBeside(first))];
}

export function browserAt(app: TestApp, { cookies }: Visitor): Visitor {
  const visitor = new Visitor(app.url);
  for (const [name, value] of cookies) visitor.cookies.set(name, value);
  return visitor;
}

const RETRIES_MAX = 5;

/** Releases `crowd` requests at once, alternating between the portals. Any fault throws. */
export async function together<T extends Pick<Answer, 'status'>>(
  pair: readonly [TestApp, TestApp],
  crowd: number,
  run: (app: TestApp, at: number) => Promise<T>,
): Promise<T[]> {
  // A request that waited too long for a lock was rolled back, and its client retries.
  const send = async (at: number) => {
    const app = at % 2 === 0 ? pair[0] : pair[1];
    let answer = await run(app, at);
    for (let again = 0; answer.status === 503 && again < RETRIES_MAX; again += 1) answer = await run(app, at);
    return answer;
  };
  const answers = await Promise.all(Array.from({ length: crowd }, (_, at) => send(at)));
  const failed = answers.find(({ status }) => status >= 500);
  if (failed) throw new Error(`answered ${failed.status}: ${JSON.stringify(failed)}`);
  return answers;
}

export function tally(answers: readonly Pick<Answer, 'code'>[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { code = 'ok' } of answers) counts[code] = (counts[code] ?? 0) + 1;
  return counts;
}

export const oneAnd = (crowd: number, refusal: string) => ({ ok: 1, [refusal]: crowd - 1 });

/** The mails to an address, while both portals send due mails at the same time. */
export async function mailsOfBoth(pair: Pair, to: string): Promise<Letter[]> {
  return (await Promise.all(pair.map((app) => app.mails(to)))).flat();
}

export async function repeat(pair: Pair, rounds: number, round: () => Promise<void>) {
  for (let count = 0; count < rounds; count += 1) await round();
  expect(await brokenPromises(pair[0])).toEqual([]);
}

/** The broken invariants of docs/security.md that rows can show, by name. */
export async function brokenPromises({ deps: { sql: database, config } }: TestApp): Promise<string[]> {
  const checks: Record<string, ReturnType<typeof sql>> = {
    'a job that failed': sql`select 1 from jobs where last_error is not null`,
    // The victim retries and succeeds, so only the database's own count shows a deadlock.
    'a deadlock': sql`select 1 from pg_stat_database where datname = current_database() and deadlocks > 0`,
  };
  const broken = await brokenRows(database, config.maxMembersPerOrg);
  for (const [name, check] of Object.entries(checks))
    if ((await check.execute(database)).rows.length > 0) broken.push(name);
  return broken;
}
