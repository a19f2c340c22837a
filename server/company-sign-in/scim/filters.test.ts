import { expect, test } from 'vitest';
import { groupFilters, readFilter, readPath, userFilters } from './filters.ts';

const CORE = 'urn:ietf:params:scim:schemas:core:2.0:User';
const OTHER = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

test.each([
  ['userName eq "Test@Contoso.com"', [['user_name', 'Test@Contoso.com']]],
  ['USERNAME EQ "a"', [['user_name', 'a']]],
  ['displayName eq "Kim Akers"', [['display_name', 'Kim Akers']]],
  ['name.familyName eq "Akers"', [['family_name', 'Akers']]],
  [
    'userName eq "a" and active eq true',
    [
      ['user_name', 'a'],
      ['is_active', true],
    ],
  ],
  ['meta.lastModified gt "2026-01-02T03:04:05Z"', [['changed_at', new Date('2026-01-02T03:04:05Z'), '>']]],
  ['externalId eq jyoung', [['external_id', 'jyoung']]],
  ['emails[type eq "work"].value eq "b@fabrikam.example"', [['email_key', 'b@fabrikam.example']]],
  ['emails.value eq "b"', [['email_key', 'b']]],
  [`${CORE}:userName eq "a \\"b\\" and c"`, [['user_name', 'a "b" and c']]],
  [
    'userName eq "a" And externalId eq "7"',
    [
      ['user_name', 'a'],
      ['external_id', '7'],
    ],
  ],
] as [string, [string, unknown, string?][]][])('users by %s', (text, filter) =>
  expect(readFilter(text, userFilters)).toEqual(
    filter.map(([column, key, sign = '=']) => ({ column, key, sign })),
  ),
);

test('groups by their name', () =>
  expect(readFilter('displayName eq "Sales (EU)"', groupFilters)).toEqual([
    { column: 'display_name', key: 'Sales (EU)', sign: '=' },
  ]));
test('no groups by a part of a member', () =>
  expect(readFilter('members[value eq "a"] eq "b"', groupFilters)).toMatchObject({ status: 400 }));

test.each([
  '',
  'userName',
  'userName eq',
  'userName eq ""x',
  'userName eq "a',
  String.raw`userName eq "a\u0000"`,
  'userName eq "a" or userName eq "b"',
  'userName eq "a" and',
  'userName sw "a"',
  'not (userName eq "a")',
  '(userName eq "a")',
  'password eq "a"',
  'emails[type eq "home"].value eq "a"',
  'emails[value eq "a"].value eq "a"',
  'emails[type ne "work"].value eq "a"',
  'active eq "perhaps"',
  'userName gt "a"',
  'meta.lastModified gt "yesterday"',
  'meta.lastModified co "2026"',
  Array(6).fill('title eq "a"').join(' and '),
  '__proto__ eq "a"',
  'constructor.prototype eq "a"',
  `${OTHER}:userName eq "a"`,
  `userName eq "${'a'.repeat(1000)}"`,
])('no filter: %s', (text) =>
  expect(readFilter(text, userFilters)).toMatchObject({ status: 400, scimType: 'invalidFilter' }),
);

test.each([
  ['active', { name: 'active' }],
  ['name.givenName', { name: 'name', part: 'givenname' }],
  [`${CORE}:Title`, { name: 'title' }],
  [`${OTHER}:title`, { name: `${OTHER.toLowerCase()}:title` }],
  ['members[value eq "u1"]', { name: 'members', where: [{ name: 'value', operator: 'eq', value: 'u1' }] }],
  [
    'roles[primary ne true].value',
    { name: 'roles', where: [{ name: 'primary', operator: 'ne', value: 'true' }], part: 'value' },
  ],
  ['emails[', undefined],
  ['emails[]', { name: 'emails', where: 'unreadable' }],
  [
    'emails[type eq "work" and primary eq true]',
    {
      name: 'emails',
      where: [
        { name: 'type', operator: 'eq', value: 'work' },
        { name: 'primary', operator: 'eq', value: 'true' },
      ],
    },
  ],
  ['emails[type eq "a" or type eq "b"]', { name: 'emails', where: 'unreadable' }],
  ['a.b.c', undefined],
  ['a'.repeat(1001), undefined],
])('the path %s', (text, path) => expect(readPath(text)).toEqual(path));

test.each([
  '__proto__',
  '__proto__.admin',
  'constructor',
  'name.constructor',
  `${CORE}:__proto__`,
  'prototype',
])('the path %s reaches no prototype', (text) =>
  expect(readPath(text)).toMatchObject({ status: 400, scimType: 'invalidPath' }),
);

test('no text makes the reader slow', () => {
  const start = performance.now();
  for (const text of ['[', '"', 'a eq "b" and ', 'urn:a:', '\\', ' ', '[a]']) {
    readFilter(text.repeat(1000).slice(0, 1000), userFilters);
    readPath(text.repeat(1000).slice(0, 1000));
  }
  expect(performance.now() - start).toBeLessThan(1000);
});
