import { expect, test } from 'vitest';
import { play, type Simulation } from './simulation.ts';

const noCost = { appMs: 0, databaseMs: 0 };
const free = { check: noCost, init: noCost, list: noCost, signIn: noCost };
const nobody = { check: 0, init: 0, list: 0, signIn: 0 };
const setting: Simulation = {
  processes: 1,
  databaseCores: 1,
  connections: 100,
  costs: free,
  sharedCheck: noCost,
  aSecond: nobody,
  lastsMs: 200_000,
};
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const meanOf = (changes: Partial<Simulation>) =>
  mean(play({ ...setting, ...changes }).answers.map(({ tookMs }) => tookMs));

/** The mean wait of random arrivals with a constant service time (Pollaczek and Khinchine). */
const waitsMs = (filled: number, ms: number) => (filled * ms) / (2 * (1 - filled));

test.each([300, 600, 800])('%i statements a second wait for a core as theory predicts', (list) => {
  const costs = { ...free, list: { appMs: 0, databaseMs: 1 } };
  const expected = 1 + waitsMs(list / 1000, 1);
  expect(meanOf({ costs, aSecond: { ...nobody, list } }) / expected).toBeCloseTo(1, 1);
});

test('look-ups of one turn share a statement, and a busier loop shares more', () => {
  const costs = { ...free, check: { appMs: 0.6, databaseMs: 0.2 } };
  const sharedCheck = { appMs: 0.4, databaseMs: 0.1 };
  const lookupsPerStatementAt = (check: number) =>
    play({ ...setting, costs, sharedCheck, aSecond: { ...nobody, check }, lastsMs: 20_000 })
      .lookupsPerStatement;
  expect(lookupsPerStatementAt(1)).toBe(1);
  expect(lookupsPerStatementAt(1000)).toBeGreaterThan(1);
  // As separate statements these would need 1.2 s of loop time per second.
  expect(lookupsPerStatementAt(2000)).toBeGreaterThan(2);
});

test('other requests do not wait for a whole password hash', () => {
  const costs = { ...free, list: { appMs: 0.1, databaseMs: 0 }, signIn: { appMs: 20, databaseMs: 0 } };
  const { answers } = play({
    ...setting,
    costs,
    aSecond: { ...nobody, list: 10, signIn: 10 },
    lastsMs: 10_000,
  });
  const short = answers.filter(({ tookMs }) => tookMs < 15);
  expect(answers.length - short.length, 'sign-ins').toBeGreaterThan(50);
  expect(Math.max(...short.map(({ tookMs }) => tookMs))).toBeLessThan(8);
});

test('with few connections, requests wait for one however many cores there are', () => {
  const costs = { ...free, list: { appMs: 0, databaseMs: 1 } };
  const wide = { costs, aSecond: { ...nobody, list: 800 }, databaseCores: 100, lastsMs: 20_000 };
  const narrow = play({ ...setting, ...wide, connections: 1 });
  expect(narrow.connectionsUsed).toBe(1);
  expect(meanOf({ ...wide, connections: 1 })).toBeGreaterThan(2 * meanOf(wide));
});

test('a dying process loses its requests in progress, and the others answer the rest', () => {
  const costs = { ...free, list: { appMs: 5, databaseMs: 1 } };
  const usual = { ...setting, costs, aSecond: { ...nobody, list: 200 }, processes: 2, lastsMs: 10_000 };
  const whole = play(usual);
  const withLoss = play({ ...usual, lossAtMs: 5000 });
  expect(whole.cutRequests).toBe(0);
  expect(withLoss.cutRequests).toBeGreaterThan(0);
  expect(withLoss.answers.length + withLoss.cutRequests).toBe(whole.answers.length);
  const slowest = ({ answers }: typeof whole) => Math.max(...answers.map(({ tookMs }) => tookMs));
  expect(slowest(withLoss)).toBeGreaterThan(slowest(whole));
});

test('a burst multiplies the arrivals', () => {
  const usual = { ...setting, aSecond: { ...nobody, check: 100 }, lastsMs: 10_000 };
  const burst = { fromMs: 2000, toMs: 4000, times: 3 };
  const { answers } = play({ ...usual, burst });
  const within = answers.filter(({ atMs }) => atMs >= burst.fromMs && atMs < burst.toMs).length / 2;
  const outside = answers.filter(({ atMs }) => atMs < burst.fromMs || atMs >= burst.toMs).length / 8;
  expect(within / outside).toBeCloseTo(3, 0);
});
