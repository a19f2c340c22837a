import { Redis } from 'ioredis';
import { WIRE_NAME } from '#contract/limits.ts';
import type { Counts } from './counts.ts';
import type { Log } from '#server/log.ts';

// One hash per key: count, resets and waits. Redis drops it later than it ends, so the scripts compare the time.
const scripts = {
  addInTurn: `
    for nth, key in ipairs(KEYS) do
      local most, ends = ARGV[2 * nth], ARGV[2 * nth + 1]
      local count, resets = unpack(redis.call('hmget', key, 'count', 'resets'))
      if not count or tonumber(resets) <= tonumber(ARGV[1]) then count, resets = 0, ends end
      if count + 1 > tonumber(most) then return { nth - 1, resets } end
      redis.call('hset', key, 'count', count + 1, 'resets', resets)
      redis.call('pexpire', key, resets - ARGV[1])
    end
    return false`,
  subtract: `
    for _, key in ipairs(KEYS) do
      local count, resets = unpack(redis.call('hmget', key, 'count', 'resets'))
      if count and tonumber(count) > 0 and tonumber(resets) > tonumber(ARGV[1]) then
        redis.call('hincrby', key, 'count', -1)
      end
    end
    return false`,
  addUnlessWaiting: `
    local count, resets, waits = unpack(redis.call('hmget', KEYS[1], 'count', 'resets', 'waits'))
    if waits and tonumber(waits) > tonumber(ARGV[1]) then return waits end
    if not count or tonumber(resets) <= tonumber(ARGV[1]) then count = 0 end
    local over = count + 1 - ARGV[3]
    local untilWhen = '0'
    if over >= 0 then
      untilWhen = string.format('%.0f', ARGV[1] + math.min(ARGV[4], 2 ^ math.min(over, 20)) * 1000)
    end
    redis.call('hset', KEYS[1], 'count', count + 1, 'resets', ARGV[2], 'waits', untilWhen)
    redis.call('pexpire', KEYS[1], ARGV[2] - ARGV[1])
    return false`,
  addUpTo: `
    local count = redis.call('hget', KEYS[1], 'count') or 0
    if tonumber(count) >= tonumber(ARGV[3]) then return 0 end
    redis.call('hset', KEYS[1], 'count', count + 1, 'resets', ARGV[2])
    redis.call('pexpire', KEYS[1], ARGV[2] - ARGV[1])
    return 1`,
  count: `
    local count, resets = unpack(redis.call('hmget', KEYS[1], 'count', 'resets'))
    if not count or tonumber(resets) <= tonumber(ARGV[1]) then return 0 end
    return tonumber(count)`,
};

/** Timeout of one answer: a sign-in must not wait for a dead Redis. */
const PATIENCE_MS = 500;
/** After a timeout, skip Redis for this long. */
const SKIP_MS = 2000;

/** One script per call. While Redis does not answer, `fallback` counts: a limit may allow its share once more. */
export function countsInRedis(
  url: URL,
  fallback: Counts,
  log: Log,
  patienceMs = PATIENCE_MS,
): Counts & { close(): void } {
  const redis = new Redis(url.href, {
    keyPrefix: `${WIRE_NAME}:`,
    // Without a connection the database counts at once; no call waits for one.
    connectTimeout: 10 * patienceMs,
    commandTimeout: patienceMs,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    retryStrategy: (tries) => Math.min(tries * 100, 2000),
  });
  let isUp: boolean | undefined;
  const note = (up: boolean, reason?: string) => {
    if (up !== isUp && up) log.info({}, 'Redis counts');
    if (up !== isUp && !up) log.warn({ reason }, 'Redis fails: the database counts');
    isUp = up;
  };
  let skippedUntil = 0;
  const noteAnswer = () => {
    skippedUntil = 0;
    note(true);
  };
  redis.on('ready', noteAnswer).on('error', ({ message }: Error) => note(false, message));

  const run = async <T>(
    script: keyof typeof scripts,
    keys: readonly string[],
    ...values: (Date | number)[]
  ) => (await redis.eval(scripts[script], keys.length, ...keys, ...values.map(Number))) as T;
  const inRedis: Omit<Counts, 'sweep'> = {
    addInTurn: async (now, windows) => {
      const keys = windows.map(({ key }) => key);
      const limits = windows.flatMap(({ most, resetsAt }) => [most, resetsAt]);
      const full = await run<[number, string] | null>('addInTurn', keys, now, ...limits);
      return full ? { nth: full[0], until: new Date(Number(full[1])) } : undefined;
    },
    subtract: (now, keys) => run('subtract', keys, now),
    addUnlessWaiting: async (key, now, resetsAt, { free, longestSeconds }) => {
      const waits = await run<string | null>('addUnlessWaiting', [key], now, resetsAt, free, longestSeconds);
      return waits === null ? undefined : new Date(Number(waits));
    },
    addUpTo: async (most, key, now, resetsAt) => (await run('addUpTo', [key], now, resetsAt, most)) === 1,
    count: (key, now) => run('count', [key], now),
    forget: (keys) => redis.del(...keys),
  };
  type Call = (...args: never[]) => Promise<unknown>;
  const redisCalls: Record<string, Call> = inRedis;
  const fallbackCalls: Record<string, Call> = fallback;
  const calls = Object.entries(redisCalls).map(([name, call]) => {
    const withFallback = async (...args: never[]) => {
      if (performance.now() >= skippedUntil)
        try {
          const answer = await call(...args);
          noteAnswer();
          return answer;
        } catch (error) {
          skippedUntil = performance.now() + SKIP_MS;
          note(false, (error as Error).message);
        }
      return fallbackCalls[name]?.(...args);
    };
    return [name, withFallback] as const;
  });
  return {
    ...(Object.fromEntries(calls) as typeof inRedis),
    // Redis expires its keys by itself.
    sweep: (now) => fallback.sweep(now),
    close: () => redis.disconnect(),
  };
}
