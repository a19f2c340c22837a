import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nameKey } from '#server/roles/rules.ts';

test.each([
  ['Editor', 'editor'],
  ['EDITOR', 'editor'],
  ['  Editor  ', 'editor'],
  ['Senior   Editor', 'senior editor'],
  ['Senior\tEditor', 'senior editor'],
  ['Senior\u00A0Editor', 'senior editor'],
  ['Ｅｄｉｔｏｒ', 'editor'],
  ['e\u0301diteur', 'éditeur'],
  ['ﬁnance', 'finance'],
  ['Super Admin', 'super admin'],
  ['super  ADMIN ', 'super admin'],
  ['日本', '日本'],
])('%j is the same name as %j', (name, key) => {
  expect(nameKey(name)).toBe(key);
});

test.each([
  ['Editor', 'Editors'],
  ['Editor', 'Éditor'],
  ['Senior Editor', 'SeniorEditor'],
  ['Admin', 'Super Admin'],
])('%j and %j are two names', (one, other) => {
  expect(nameKey(one)).not.toBe(nameKey(other));
});

test('a key is its own key', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (name) => {
      expect(nameKey(nameKey(name))).toBe(nameKey(name));
    }),
    { numRuns: 2000 },
  );
});
