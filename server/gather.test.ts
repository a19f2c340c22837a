import { setImmediate as endOfTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { gather } from '#server/gather.ts';

function recorded(answer = (key: string) => key.toUpperCase()) {
  const asked: (readonly string[])[] = [];
  const find = gather(async (keys: readonly string[]) => {
    asked.push(keys);
    return new Map(keys.flatMap((key) => (key === 'nobody' ? [] : [[key, answer(key)] as const])));
  });
  return { asked, find };
}

test('what is asked in one turn is looked up at once, each key once, and each gets its own', async () => {
  const { asked, find } = recorded();
  expect(await Promise.all([find('a'), find('b'), find('nobody'), find('a')])).toEqual([
    'A',
    'B',
    undefined,
    'A',
  ]);
  expect(asked).toEqual([['a', 'b', 'nobody']]);
});

test('who asks once the look-up is on its way gets a look-up of their own', async () => {
  let state = 'before';
  const { asked, find } = recorded(() => state);
  const first = find('a');
  await endOfTurn();
  state = 'after';
  const second = find('a');
  expect([await first, await second]).toEqual(['before', 'after']);
  expect(asked).toEqual([['a'], ['a']]);
});

test('a look-up that fails fails for all who waited for it, and for nobody after', async () => {
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

test('no more at once than allowed; the rest of the turn is another look-up', async () => {
  const asked: (readonly number[])[] = [];
  const find = gather(async (keys: readonly number[]) => {
    asked.push(keys);
    return new Map(keys.map((key) => [key, key * 2]));
  }, 2);
  expect(await Promise.all([1, 2, 3, 4, 5].map(find))).toEqual([2, 4, 6, 8, 10]);
  expect(asked).toEqual([[1, 2], [3, 4], [5]]);
});
