import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Keys } from './keys.ts';
import { hideIds, revealId } from './opaque-ids.ts';

const keyOf = (id: string): Keys[0] => {
  const made = new Map<string, Buffer>();
  const derive = (purpose: string) => {
    const key =
      made.get(purpose) ??
      createHash('sha256')
        .update(id + purpose)
        .digest();
    made.set(purpose, key);
    return key;
  };
  return { id, derive };
};
const keys: Keys = [keyOf('0a')];
const counted = [
  ...Array.from({ length: 2000 }, (_, at) => at),
  2 ** 24 - 1,
  2 ** 24,
  2 ** 47 + 12_345,
  2 ** 48 - 1,
];
const shownBy = (keys: Keys, kind: 'activity' | 'notification', ...ids: number[]) =>
  hideIds(
    keys,
    kind,
    ids.map((id) => ({ id })),
  ).map(({ id }) => id);
const shown = shownBy(keys, 'activity', ...counted);

test('a shown id leads back to its stored id, and no two are equal', () => {
  expect(shown.map((id) => revealId(keys, 'activity', id))).toEqual(counted);
  expect(new Set(shown).size).toBe(counted.length);
});

test('a shown id is a positive number of at most 16 digits, which JSON keeps', () => {
  const withTags = shownBy([keyOf('06'), keyOf('0b')], 'activity', ...counted);
  for (const id of [...shown, ...withTags]) expect(String(id)).toMatch(/^[1-9]\d{0,15}$/);
  expect(Math.max(...withTags)).toBeLessThan(Number.MAX_SAFE_INTEGER);
});

test('consecutive ids are far apart, and each key and kind has its own order', () => {
  const gaps = shown.slice(1).map((id, at) => Math.abs(id - (shown[at] ?? 0)));
  expect(Math.min(...gaps)).toBeGreaterThan(2 ** 24);
  expect(shownBy(keys, 'notification', 1)[0]).not.toBe(shown[1]);
  expect(shownBy([keyOf('0b')], 'activity', 1)[0]).not.toBe(shown[1]);
});

test('every process reveals what another one shows, in each round of a rotation', () => {
  const [older, newer] = [keys[0], keyOf('0b')];
  for (const [one, other] of [
    [[older], [older, newer]],
    [
      [older, newer],
      [newer, older],
    ],
    [[newer, older], [newer]],
  ] as const)
    for (const [by, to] of [
      [one, other],
      [other, one],
    ] as const)
      expect(revealId(to, 'activity', shownBy(by, 'activity', 42)[0] ?? 0)).toBe(42);
});

test('an id that was never shown is answered like any other', () => {
  for (const id of [999_999_999_999_999, Number.MAX_SAFE_INTEGER])
    expect(revealId(keys, 'activity', id)).toBeLessThan(2 ** 48);
});
