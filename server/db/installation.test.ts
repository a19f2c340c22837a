import { expect, test } from 'vitest';
import { belongsToKeys } from '#server/db/installation.ts';
import { openKeys } from '#server/keys.ts';
import { openTestDatabase } from '#server/testing/databases.ts';

const keys = (...letters: string[]) =>
  openKeys({ secretKeys: letters.map((letter) => letter.repeat(32)), dataDir: '/nowhere' });

test('a database belongs to the key it was made with, and to a newer key in front of it', async () => {
  const database = await openTestDatabase();
  const steps = [keys('a'), keys('b'), keys('a'), keys('b', 'a'), keys('b'), keys('a')];
  const answers = [];
  for (const step of steps) answers.push(await belongsToKeys(database.reading, step));
  expect(answers).toEqual([true, false, true, true, true, false]);
  await database.close();
});
