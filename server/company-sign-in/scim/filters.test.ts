import { expect, test } from 'vitest';
import { groupFilters, readFilter, readPath, userFilters } from '#server/company-sign-in/scim/filters.ts';

const CORE = 'urn:ietf:params:scim:schemas:core:2.0:User';
const OTHER = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

test.each([
  ['userName eq "Test@Contoso.com"', [['user_name_key', 'Test@Contoso.com']]],
  ['USERNAME EQ "a"', [['user_name_key', 'a']]],
  ['externalId eq jyoung', [['external_id', 'jyoung']]],
  ['emails[type eq "work"].value eq "b@fabrikam.example"', [['email_key', 'b@fabrikam.example']]],
  ['emails.value eq "b"', [['email_key', 'b']]],
  [`${CORE}:userName eq "a \\"b\\" and c"`, [['user_name_key', 'a "b" and c']]],
  [
    'userName eq "a" And externalId eq "7"',
    [
      ['user_name_key', 'a'],
      ['external_id', '7'],
    ],
  ],
])('users by %s', (text, filter) => expect(readFilter(text, userFilters)).toEqual(filter));

test('groups by their name', () =>
  expect(readFilter('displayName eq "Sales (EU)"', groupFilters)).toEqual([['name_key', 'Sales (EU)']]));
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
  ['members[value eq "u1"]', { name: 'members', where: { name: 'value', value: 'u1' } }],
  [
    'roles[primary eq "True"].value',
    { name: 'roles', where: { name: 'primary', value: 'True' }, part: 'value' },
  ],
  ['emails[', undefined],
  ['emails[]', undefined],
  ['emails[type eq "a" and type eq "b"]', undefined],
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
