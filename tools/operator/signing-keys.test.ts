import { afterAll, beforeAll, expect, test } from 'vitest';
import { HOUR_MS } from '#server/clock.ts';
import { FreshInstallation } from './testing/fresh-installation.ts';

type Rotated = { readonly kids: string[]; readonly signs_from: string };

let site: FreshInstallation;
beforeAll(async () => {
  site = await FreshInstallation.make();
}, 60_000);
afterAll(() => site.remove());

test.for([
  [['keys'], 'There is no command keys.'],
  [['keys', 'rotate', 'all'], 'Usage: npm run operator -- keys rotate'],
] as const)('%j is invalid', async ([args, words]) => {
  expect(await site.run(...args)).toMatchObject({
    code: 2,
    errors: expect.stringContaining(words) as string,
  });
});

test('signing keys are listed and rotated, with a log row', async () => {
  expect((await site.run('keys', 'list')).out).toContain('There are none yet');
  const first = await site.json<Rotated>('keys', 'rotate');
  expect(Date.parse(first.signs_from)).toBeLessThanOrEqual(Date.now());
  const second = await site.json<Rotated>('keys', 'rotate');
  expect(Date.parse(second.signs_from)).toBeGreaterThan(Date.now() + 23 * HOUR_MS);
  expect(await site.lastInformation()).toMatchObject({
    signing_keys: [null, second.kids],
    operator: expect.any(String) as string,
  });
  const { out } = await site.run('keys', 'list');
  const lines = out
    .split('\n')
    .map((line) => line.replaceAll(/\d{4}-\d\d-\d\dT\S+Z/g, 'T').replaceAll(/[ER]S256/g, 'A'));
  expect(lines.toSorted()).toEqual(
    [
      ...second.kids.map((kid) => `${kid}  A  signs from T`),
      ...first.kids.map((kid) => `${kid}  A  signs since T, leaves at T`),
    ].toSorted(),
  );

  const third = await site.json<Rotated>('keys', 'rotate', '--at-once');
  expect(Date.parse(third.signs_from)).toBeLessThanOrEqual(Date.now());
  const { signing_keys: change } = (await site.lastInformation()) as { signing_keys: [string[], string[]] };
  expect([change[0].toSorted(), change[1]]).toEqual([[...first.kids, ...second.kids].toSorted(), third.kids]);
  expect((await site.json<object[]>('keys', 'list')).length).toBe(2);
});
