import { setImmediate as endOfTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { batchPerTick } from './batch-per-tick.ts';

function recorded(answer = (key: string) => key.toUpperCase()) {
  const batches: (readonly string[])[] = [];
  const find = batchPerTick(async (keys: readonly string[]) => {
    batches.push(keys);
    return new Map(keys.flatMap((key) => (key === 'nobody' ? [] : [[key, answer(key)] as const])));
  });
  return { batches, find };
}

test('keys requested in one turn are looked up together, each once, and each request gets its value', async () => {
  const { batches, find } = recorded();
  expect(await Promise.all([find('a'), find('b'), find('nobody'), find('a')])).toEqual([
    'A',
    'B',
    undefined,
    'A',
  ]);
  expect(batches).toEqual([['a', 'b', 'nobody']]);
});

test('a request after a lookup has started begins a new lookup', async () => {
  let state = 'before';
  const { batches, find } = recorded(() => state);
  const first = find('a');
  await endOfTurn();
  state = 'after';
  const second = find('a');
  expect([await first, await second]).toEqual(['before', 'after']);
  expect(batches).toEqual([['a'], ['a']]);
});

test('a failed lookup fails for all its requests, and for no later one', async () => {
  let isDown = true;
  const { find } = recorded(() => {
    if (isDown) throw new Error('down');
    return 'up';
  });
  const answers = await Promise.allSettled([find('a'), find('b')]);
  expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  isDown = false;
  expect(await find('a')).toBe('up');
});

test('a lookup has at most the allowed number of keys; the rest of the turn is another lookup', async () => {
  const batches: (readonly number[])[] = [];
  const find = batchPerTick(async (keys: readonly number[]) => {
    batches.push(keys);
    return new Map(keys.map((key) => [key, key * 2]));
  }, 2);
  expect(await Promise.all([1, 2, 3, 4, 5].map(find))).toEqual([2, 4, 6, 8, 10]);
  expect(batches).toEqual([[1, 2], [3, 4], [5]]);
});
