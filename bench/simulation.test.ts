import { expect, test } from 'vitest';
import { play, type Played } from './simulation.ts';

const nothing = { appMs: 0, databaseMs: 0 };
const free = { check: nothing, init: nothing, list: nothing, signIn: nothing };
const nobody = { check: 0, init: 0, list: 0, signIn: 0 };
const setting: Played = {
  processes: 1,
  databaseCores: 1,
  connections: 100,
  costs: free,
  shared: nothing,
  aSecond: nobody,
  lastsMs: 200_000,
};
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const meanOf = (played: Partial<Played>) =>
  mean(play({ ...setting, ...played }).answered.map(({ tookMs }) => tookMs));

/** The mean wait of random arrivals with a constant service time (Pollaczek and Khinchine). */
const waitsMs = (filled: number, ms: number) => (filled * ms) / (2 * (1 - filled));

test.each([300, 600, 800])('%i statements a second wait for a core as theory predicts', (list) => {
  const costs = { ...free, list: { appMs: 0, databaseMs: 1 } };
  const expected = 1 + waitsMs(list / 1000, 1);
  expect(meanOf({ costs, aSecond: { ...nobody, list } }) / expected).toBeCloseTo(1, 1);
});

test('look-ups of one turn share a statement, and a busier loop shares more', () => {
  const costs = { ...free, check: { appMs: 0.6, databaseMs: 0.2 } };
  const shared = { appMs: 0.4, databaseMs: 0.1 };
  const sharedAt = (check: number) =>
    play({ ...setting, costs, shared, aSecond: { ...nobody, check }, lastsMs: 20_000 }).shared;
  expect(sharedAt(1)).toBe(1);
  expect(sharedAt(1000)).toBeGreaterThan(1);
  // As separate statements these would need 1.2 s of loop time per second.
  expect(sharedAt(2000)).toBeGreaterThan(2);
});

test('a hash delays no other request for longer than one slice', () => {
  const costs = { ...free, list: { appMs: 0.1, databaseMs: 0 }, signIn: { appMs: 20, databaseMs: 0 } };
  const { answered } = play({
    ...setting,
    costs,
    aSecond: { ...nobody, list: 10, signIn: 10 },
    lastsMs: 10_000,
  });
  const short = answered.filter(({ tookMs }) => tookMs < 15);
  expect(answered.length - short.length, 'sign-ins').toBeGreaterThan(50);
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
  const played = { ...setting, costs, aSecond: { ...nobody, list: 200 }, processes: 2, lastsMs: 10_000 };
  const whole = play(played);
  const lost = play({ ...played, lostMs: 5000 });
  expect(whole.cut).toBe(0);
  expect(lost.cut).toBeGreaterThan(0);
  expect(lost.answered.length + lost.cut).toBe(whole.answered.length);
  const slowest = ({ answered }: typeof whole) => Math.max(...answered.map(({ tookMs }) => tookMs));
  expect(slowest(lost)).toBeGreaterThan(slowest(whole));
});

test('a burst multiplies the arrivals', () => {
  const played = { ...setting, aSecond: { ...nobody, check: 100 }, lastsMs: 10_000 };
  const burst = { fromMs: 2000, toMs: 4000, times: 3 };
  const came = play({ ...played, burst }).answered;
  const within = came.filter(({ atMs }) => atMs >= burst.fromMs && atMs < burst.toMs).length / 2;
  const outside = came.filter(({ atMs }) => atMs < burst.fromMs || atMs >= burst.toMs).length / 8;
  expect(within / outside).toBeCloseTo(3, 0);
});
