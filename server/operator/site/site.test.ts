import { expect, test } from 'vitest';
import { HOUR_MS } from '#server/clock.ts';
import { acted, linesOf } from '#server/testing/operator.ts';
import { useApp } from '#server/testing/use-app.ts';

const app = useApp();

test('signing keys are listed and rotated: the first sign now, later ones after a day, or at once after a leak', async () => {
  type Rotated = { readonly kids: string[]; readonly signs_from: Date; readonly withdrawn: string[] };
  const rotate = (input = {}) => acted<Rotated>(app.deps, 'keys rotate', input);
  const list = async () => {
    const lines = await linesOf(app.deps, 'keys list');
    return lines
      .map((line) => line.replaceAll(/\d{4}-\d\d-\d\dT\S+Z/g, 'T').replaceAll(/[ER]S256/g, 'A'))
      .toSorted();
  };
  expect(await list()).toEqual(['There are none yet. The first sign-in makes them.']);
  const first = await rotate();
  expect(first.signs_from).toEqual(app.clock.now());
  const second = await rotate();
  expect(second.signs_from.getTime()).toBe(app.clock.now().getTime() + 24 * HOUR_MS);
  expect(await list()).toEqual(
    [
      ...second.kids.map((kid) => `${kid}  A  signs from T`),
      ...first.kids.map((kid) => `${kid}  A  signs since T, leaves at T`),
    ].toSorted(),
  );
  const third = await rotate({ 'at-once': true });
  expect(third.signs_from).toEqual(app.clock.now());
  expect(third.withdrawn.toSorted()).toEqual([...first.kids, ...second.kids].toSorted());
  expect(await acted<object[]>(app.deps, 'keys list')).toHaveLength(2);
});

test('verify tells of how many anchors it knows where several processes may write them', async () => {
  const sentence = 'The log is as it was written.';
  expect(await linesOf(app.deps, 'verify')).toEqual([sentence]);
  const config = { ...app.deps.config, databaseUrl: new URL('postgres://h/db') };
  expect(await linesOf({ ...app.deps, config }, 'verify')).toEqual([
    sentence,
    `Compared with the anchors of 0 days in ${config.dataDir}/anchors. Processes with another folder may have more.`,
  ]);
});
