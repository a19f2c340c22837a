import fc from 'fast-check';
import { expect, test } from 'vitest';
import { allRights, everyRight, noRights } from '#contract/roles/permissions.ts';
import { type Permission, permissionOf } from '#contract/roles/calls.ts';
import { changedRights, nameKey, rightsAfter, rowsOf } from './rules.ts';

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
  ['Ed\u200Ditor\uFE0F', 'editor'],
  ['\u2800Ad\u3164min', 'admin'],
  ['Аdmin', 'admin'],
  ['ΑDΜΙΝ', 'admin'],
  ['SÜPER ADMİN', 'süper admin'],
  ['admın', 'admin'],
  ['ᴇᴅɪᴛᴏʀ', 'editor'],
])('%j is the same name as %j', (name, key) => {
  expect(nameKey(name)).toBe(key);
});

test.each([
  ['Editor', 'Editors'],
  ['Editor', 'Éditor'],
  ['Senior Editor', 'SeniorEditor'],
  ['Team 5', 'Team S'],
  ['Admin', 'Super Admin'],
])('%j and %j are two names', (name, other) => {
  expect(nameKey(name)).not.toBe(nameKey(other));
});

test('the key of a key is the key itself', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (name) => {
      expect(nameKey(nameKey(name))).toBe(nameKey(name));
    }),
    { numRuns: 2000 },
  );
});

const rightsIn = (table: Permission) => rightsAfter(new Set(), table);
const all = permissionOf('all');
const nothing = permissionOf(new Set());

test('a table of rights survives the way through a set of rights and stored rows', () => {
  expect(all.sign[5]).toEqual(allRights);
  expect(nothing.sign[1]).toEqual(noRights);
  expect(rightsIn(all).size).toBe(everyRight.length);
  expect(rightsIn(nothing).size).toBe(0);
  for (const table of [all, nothing, { sign: { ...nothing.sign, 3: { ...noRights, read: true } } }]) {
    const rows = rowsOf(rightsIn(table)).map((row) => `${row.service}.${row.module}.${row.action}`);
    expect(new Set(rows)).toEqual(rightsIn(table));
    expect(permissionOf(new Set(rows))).toEqual(table);
  }
});

test('any other right includes read', () => {
  const table = { sign: { ...nothing.sign, 2: { ...noRights, delete: true } } };
  expect([...rightsIn(table)].toSorted()).toEqual(['sign.2.delete', 'sign.2.read']);
});

test('a right of a module that is no longer offered does not show', () => {
  expect(permissionOf(new Set(['sign.9.read', 'seo.1.read']))).toEqual(nothing);
});

test('changed rights are those that only one side has', () => {
  const [before, after] = [new Set(['sign.1.read', 'sign.2.read']), new Set(['sign.2.read', 'sign.3.read'])];
  expect(changedRights(before, after)).toEqual({
    'sign.1.read': [true, false],
    'sign.3.read': [false, true],
  });
  expect(changedRights(before, before)).toEqual({});
});

test('a module that the table leaves out, or does not know, keeps its rights', () => {
  const { 5: _, ...older } = nothing.sign;
  const before = new Set(['sign.1.read', 'sign.5.read', 'sign.99.read']);
  expect(rightsAfter(before, { sign: older })).toEqual(new Set(['sign.5.read', 'sign.99.read']));
});
