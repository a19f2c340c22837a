import { expect, test } from 'vitest';
import { belongsToKeys } from './installation.ts';
import { openKeys } from '#server/keys.ts';
import { openTestDatabase } from '#server/testing/databases.ts';

const keys = (...letters: string[]) =>
  openKeys({ secretKeys: letters.map((letter) => letter.repeat(32)), dataDir: '/nowhere' });

test('a database belongs to its first key, and to a newer key that is listed before it', async () => {
  const database = await openTestDatabase();
  const starts = [keys('a'), keys('b'), keys('a'), keys('b', 'a'), keys('b'), keys('a')];
  const answers = [];
  for (const start of starts) answers.push(await belongsToKeys(database.reading, start));
  expect(answers).toEqual([true, false, true, true, true, false]);
  await database.close();
});
