import { rmSync } from 'node:fs';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { DAY_MS, HOUR_MS, SECOND_MS } from '#server/clock.ts';
import { countsInDatabase } from './counts.ts';
import { countsInRedis } from './counts-redis.ts';
import { openTestDatabase, type TestDatabase } from '#server/testing/databases.ts';
import { newDataDir, patient, startPortal } from '#server/testing/portal.ts';
import { startRedis } from '#server/testing/redis.ts';
import { Visitor } from '#server/testing/visitor.ts';

const lines: string[] = [];
const write = (_fields: object, message: string) => void lines.push(message);
const log = { info: write, warn: write, error: write };
const logCount = (message: string) => lines.filter((line) => line === message).length;
const start = new Date('2026-03-02T09:00:00Z').getTime();
const at = (ms: number) => new Date(start + ms);

let redis: Awaited<ReturnType<typeof startRedis>>;
let database: TestDatabase;
let processes: ReturnType<typeof countsInRedis>[];
let client: Redis;
beforeAll(async () => {
  [redis, database] = await Promise.all([startRedis(), openTestDatabase()]);
  // A long timeout, because a busy machine may answer late.
  processes = [1, 2].map(() => countsInRedis(redis.url, countsInDatabase(database.sql), log, 10_000));
  client = new Redis(redis.url.href);
  client.on('error', () => undefined);
  await vi.waitUntil(() => logCount('Redis counts') === 2, 10_000);
});
afterAll(async () => {
  for (const counts of processes) counts.close();
  client.disconnect();
  await redis.stop();
  await database.close();
});

let keys = 0;
let key: string;
beforeEach(() => {
  key = `key ${(keys += 1)}`;
});
/** The counts of one of the two processes, in turn. */
const processOf = (count: number) => {
  const counts = processes[count % 2];
  if (!counts) throw new Error('no process');
  return counts;
};
const burst = <T>(count: number, ask: (counts: ReturnType<typeof processOf>) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, nth) => ask(processOf(nth))));

// The same assertions for both: each shares its counts with the other process.
describe.each(['Redis', 'the database'])('%s', (where) => {
  const of = (counts: ReturnType<typeof processOf>) =>
    where === 'Redis' ? counts : countsInDatabase(database.sql);

  const HOUR = { most: 25, resetsAt: at(HOUR_MS) };
  const NEXT_HOUR = { most: 25, resetsAt: at(2 * HOUR_MS) };

  test('counts a burst of two processes exactly, in a window that begins with the first call (K10)', async () => {
    const answers = await burst(40, (counts) => of(counts).addInTurn(at(0), [{ key, ...HOUR }]));
    const full = { nth: 0, until: at(HOUR_MS) };
    expect(answers.filter((answer) => answer === undefined)).toHaveLength(25);
    expect(answers.filter(Boolean)).toEqual(Array.from({ length: 15 }, () => full));
    expect(await of(processOf(0)).count(key, at(0))).toBe(25);
    expect(await of(processOf(1)).addInTurn(at(HOUR_MS - 1), [{ key, ...NEXT_HOUR }])).toEqual(full);
    expect(await of(processOf(0)).addInTurn(at(HOUR_MS), [{ key, ...NEXT_HOUR }])).toBeUndefined();
    expect(await of(processOf(1)).count(key, at(HOUR_MS))).toBe(1);
  });

  test('counts in several windows at once, but in none after a full one', async () => {
    const windows = [
      { key: `${key} by all`, ...NEXT_HOUR },
      { key, ...HOUR, most: 7 },
      { key: `${key} after`, ...HOUR },
    ];
    const answers = await burst(30, (counts) => of(counts).addInTurn(at(0), windows));
    const refusals = answers.map((full) => full && [full.nth, full.until]);
    expect(refusals.filter((answer) => answer === undefined)).toHaveLength(7);
    expect(refusals.filter((refusal) => refusal?.[0] === 1)).toEqual(
      Array.from({ length: 18 }, () => [1, at(HOUR_MS)]),
    );
    expect(refusals.filter((refusal) => refusal?.[0] === 0)).toEqual(
      Array.from({ length: 5 }, () => [0, at(2 * HOUR_MS)]),
    );
    const totals = windows.map((window) => of(processOf(0)).count(window.key, at(0)));
    expect(await Promise.all(totals)).toEqual([25, 7, 7]);
  });

  test('gives back what succeeded, in a burst of two processes and never below none (K10)', async () => {
    const windows = [
      { key, ...HOUR },
      { key: `${key} by all`, ...HOUR },
    ];
    const keysOf = windows.map((window) => window.key);
    const take = (counts: ReturnType<typeof processOf>) => of(counts).addInTurn(at(0), windows);
    await burst(20, take);
    await burst(40, async (counts) => {
      if (await take(counts)) return;
      await of(counts).subtract(at(0), keysOf);
    });
    for (const name of keysOf) expect(await of(processOf(0)).count(name, at(0))).toBe(20);
    await of(processOf(1)).subtract(at(HOUR_MS), keysOf);
    expect(await of(processOf(0)).count(key, at(0))).toBe(20);
    await burst(30, (counts) => of(counts).subtract(at(0), keysOf));
    expect(await of(processOf(0)).count(key, at(0))).toBe(0);
  });

  test('allows five of a burst, then doubles the wait up to its maximum (K10)', async () => {
    const back = { free: 5, longestSeconds: 900 };
    const ask = (ms: number) => (counts: ReturnType<typeof processOf>) =>
      of(counts).addUnlessWaiting(key, at(ms), at(ms + DAY_MS), back);
    const first = await burst(20, ask(0));
    expect(first.filter((until) => until === undefined)).toHaveLength(5);
    const waits = [];
    let now = 0;
    for (let round = 0; round < 12; round += 1) {
      const until = await ask(now)(processOf(round));
      waits.push(((until?.getTime() ?? 0) - start - now) / SECOND_MS);
      now = (until?.getTime() ?? 0) - start;
      expect(await ask(now)(processOf(round + 1))).toBeUndefined();
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900]);
    expect(await ask(now + 900 * SECOND_MS + DAY_MS)(processOf(0))).toBeUndefined();
    expect(await of(processOf(0)).count(key, at(now + 900 * SECOND_MS + DAY_MS))).toBe(1);
  });

  test('allows five even if the clocks of two processes differ', async () => {
    const back = { free: 5, longestSeconds: 900 };
    const answers = [];
    for (let round = 0; round < 6; round += 1) {
      const ms = round % 2 ? 0 : 100;
      answers.push(await of(processOf(round)).addUnlessWaiting(key, at(ms), at(ms + DAY_MS), back));
    }
    expect(answers).toEqual([...Array.from({ length: 5 }, () => undefined), at(100 + SECOND_MS)]);
  });

  test('counts up to its maximum, and again after a reset (K10)', async () => {
    const ask = (counts: ReturnType<typeof processOf>) => of(counts).addUpTo(7, key, at(0), at(DAY_MS));
    expect((await burst(30, ask)).filter(Boolean)).toHaveLength(7);
    expect(await of(processOf(1)).count(key, at(0))).toBe(7);
    expect(await of(processOf(1)).count(key, at(DAY_MS))).toBe(0);
    await of(processOf(0)).forget([key, 'another']);
    expect(await of(processOf(1)).count(key, at(0))).toBe(0);
    expect(await ask(processOf(1))).toBe(true);
  });
});

test('keys in Redis expire by themselves and share one prefix', async () => {
  await processOf(0).addInTurn(at(0), [{ key, most: 1, resetsAt: at(HOUR_MS) }]);
  const ttlMs = await client.pttl(`portico:${key}`);
  expect(ttlMs).toBeGreaterThan(HOUR_MS - 60 * SECOND_MS);
  expect(ttlMs).toBeLessThanOrEqual(HOUR_MS);
  expect((await client.keys('*')).every((name) => name.startsWith('portico:'))).toBe(true);
});

test(
  'a portal with REDIS_URL counts there, and in its database while Redis is away (L11)',
  patient,
  async () => {
    const dataDir = newDataDir();
    const portal = await startPortal({
      DATA_DIR: dataDir,
      REDIS_URL: redis.url.href,
      LOG_LEVEL: 'info',
    });
    onTestFinished(() => void portal.kill('SIGKILL'));
    await portal.ready();
    await expect.poll(portal.errors).toContain('Redis counts');
    const visitor = new Visitor(portal.url);
    const signIn = async (email_id: string) =>
      (await visitor.post('/api/signin', { email_id, password: 'wrong arch 99', timezone: '' })).status;
    const keysAfterSignIn = async () => {
      expect(await signIn('noah@northwind.example')).toBe(401);
      return (await client.keys('portico:*')).map((name) => name.split(':')[1]);
    };
    // If Redis was too slow for one call, it is skipped for two seconds.
    await expect
      .poll(keysAfterSignIn, { interval: 2500 })
      .toEqual(expect.arrayContaining(['signInMinute', 'signInHour', 'tries']));
    await redis.stop();
    const asMaya = () => signIn('maya@northwind.example');
    for (let round = 0; round < 5; round += 1) expect(await asMaya()).toBe(401);
    // The next try is allowed after one second, and then only after two.
    await expect.poll(asMaya).toBe(429);
    // Redis must not come back before the portal has noticed that it was away.
    await vi.waitUntil(() => logCount('Redis fails: the database counts') === 2, 10_000);
    await redis.start();
    portal.kill('SIGTERM');
    expect(await portal.ended).toBe(0);
    rmSync(dataDir, { recursive: true });
    // After a long outage the client reconnects every two seconds.
    await vi.waitUntil(() => logCount('Redis counts') === 4, 10_000);
  },
);

test('while Redis is away the database counts at once; then Redis counts again (L11)', async () => {
  await processOf(0).addUpTo(5, key, at(0), at(DAY_MS));
  await redis.stop();
  const started = performance.now();
  const results = await burst(20, (counts) => counts.addUpTo(5, key, at(0), at(DAY_MS)));
  expect(results.filter(Boolean)).toHaveLength(5);
  expect(performance.now() - started).toBeLessThan(9000);
  expect(await processOf(1).count(key, at(0))).toBe(5);
  expect(await countsInDatabase(database.sql).count(key, at(0))).toBe(5);
  expect(logCount('Redis fails: the database counts')).toBe(4);

  await redis.start();
  await expect.poll(() => logCount('Redis counts')).toBe(6);
  expect(await processOf(0).count(key, at(0))).toBe(0);
  await processOf(0).addInTurn(at(0), [{ key, most: 1, resetsAt: at(HOUR_MS) }]);
  expect(await processOf(1).count(key, at(0))).toBe(1);
  expect(lines).toHaveLength(10);
});

test('a silent Redis costs one timeout, then it is skipped; it counts again once it answers (L11)', async () => {
  const before = logCount('Redis counts');
  const impatient = countsInRedis(redis.url, countsInDatabase(database.sql), log);
  onTestFinished(() => impatient.close());
  await expect.poll(() => logCount('Redis counts')).toBe(before + 1);
  const [fails, counts] = [logCount('Redis fails: the database counts'), logCount('Redis counts')];
  redis.freeze();
  onTestFinished(() => redis.thaw());
  const started = performance.now();
  for (let round = 1; round <= 20; round += 1)
    expect(await impatient.addUpTo(20, key, at(0), at(HOUR_MS))).toBe(true);
  expect(await impatient.addUpTo(20, key, at(0), at(HOUR_MS))).toBe(false);
  // If Redis were not skipped, each call would wait for half a second.
  expect(performance.now() - started).toBeLessThan(9000);
  expect(logCount('Redis fails: the database counts')).toBe(fails + 1);

  redis.thaw();
  await expect
    .poll(async () => {
      await impatient.count(key, at(0));
      return logCount('Redis counts');
    })
    .toBe(counts + 1);
});
