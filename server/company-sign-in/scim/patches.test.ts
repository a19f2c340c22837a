import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readFilter, userFilters } from './filters.ts';
import { partsOfName } from '#contract/profile/whole-name.ts';
import { ScimRefusal } from './refusals.ts';
import { newGroup, newUser, patchGroup, patchUser, replaceGroup, replaceUser } from './patches.ts';

const CORE = 'urn:ietf:params:scim:schemas:core:2.0:User';
const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const user = {
  ...newUser,
  userName: 'Kim@Fabrikam.example',
  externalId: '1',
  givenName: 'Kim',
  familyName: 'Akers',
  title: 'Buyer',
  email: 'kim@fabrikam.example',
};
const group = { ...newGroup, displayName: 'Sales' };
const edit = (ids: Readonly<Record<string, boolean>>, isFresh = false) => ({
  members: { isFresh, ids: new Map(Object.entries(ids)) },
});
const isProven = (address: string) => address.endsWith('@fabrikam.example');
type Body = Readonly<Record<string, unknown>>;
const patch = (...operations: object[]) => ({ Operations: operations });

/** Shapes that Entra ID (also with the flag aadOptscim062020) and Okta send; first, what they change. */
describe('a user', () => {
  test.each<[what: object, body: Body]>([
    [{ active: false }, patch({ op: 'REPLACE', path: 'ACTIVE', value: [{ value: 'False' }] })],
    [
      { active: false, userName: 'x@fabrikam.example' },
      patch(
        { op: 'Replace', path: 'userName', value: 'x@fabrikam.example' },
        { op: 'Replace', path: 'active', value: 'False' },
      ),
    ],
    [
      { email: 'b@fabrikam.example' },
      patch({ op: 'Add', path: 'emails[type eq "work"].value', value: 'b@fabrikam.example' }),
    ],
    [
      { email: 'b@fabrikam.example' },
      patch({ op: 'replace', path: 'emails[primary eq true].value', value: 'b@fabrikam.example' }),
    ],
    [
      { email: 'b@fabrikam.example' },
      patch({
        op: 'replace',
        path: 'emails',
        value: [
          { type: 'home', value: 'h@fabrikam.example' },
          { type: 'work', primary: true, value: 'b@fabrikam.example' },
        ],
      }),
    ],
    [
      { familyName: 'Berg', externalId: '0a21' },
      patch(
        { op: 'Add', path: 'name.familyName', value: 'Berg' },
        { op: 'Replace', path: 'externalId', value: '0a21' },
      ),
    ],
    [
      { givenName: 'J' },
      patch({ op: 'replace', value: { name: { givenName: 'J', honorificPrefix: 'Dr' } } }),
    ],
    [{ givenName: 'J' }, patch({ op: 'replace', path: 'name', value: { givenName: 'J' } })],
    [{ title: '' }, patch({ op: 'Remove', path: 'title' })],
    [{ title: '' }, patch({ op: 'replace', path: 'title', value: null })],
    [{ email: '' }, patch({ op: 'remove', path: 'emails[type eq "work"].value' })],
    [{}, patch({ op: 'Remove', path: 'active' })],
    [{}, patch({ op: 'replace', value: { active: null } })],
    [{}, patch({ op: 'Add', path: `${ENTERPRISE}:title`, value: 'Chief' })],
    [{}, patch({ op: 'Add', path: 'roles[primary eq "True"].value', value: 'Super Admin' })],
    [{}, patch({ op: 'replace', value: { password: 'Secret123!' } })],
    [{}, patch({ op: 'replace', path: 'emails[type eq "home"].value', value: 'h@home.example' })],
    // An attribute that we do not keep is dropped, whatever its filter says.
    ...[
      'addresses[type eq "work" and primary eq true].locality',
      'roles[primary ne true].value',
      'ims[value co "x"].value',
      'phoneNumbers[type eq "work" or type eq "home"].value',
    ].map((path): [object, Body] => [
      { active: false },
      patch({ op: 'Replace', path: 'active', value: false }, { op: 'Replace', path, value: 'X' }),
    ]),
    // An attribute that we keep takes conditions that `and` joins, in any case.
    ...[
      'emails[type eq "work" and primary eq true].value',
      'Emails[Type eq "Work"].Value',
      'emails[value eq "Kim@fabrikam.example"].value',
    ].map((path): [object, Body] => [
      { email: 'b@fabrikam.example' },
      patch({ op: 'replace', path, value: 'b@fabrikam.example' }),
    ]),
    [
      { email: 'b@fabrikam.example' },
      patch({ op: 'replace', value: { Emails: [{ Value: 'b@fabrikam.example', Type: 'Work' }] } }),
    ],
    // An added address is another one, unless it is the primary one now.
    ...[{ type: 'home' }, { type: 'home', primary: true }].map((one): [object, Body] => [
      {},
      patch({ op: 'add', path: 'emails', value: [{ ...one, value: 'kim@private.example' }] }),
    ]),
    [
      { email: 'b@fabrikam.example' },
      patch({ op: 'add', path: 'emails', value: [{ value: 'b@fabrikam.example', primary: true }] }),
    ],
    [{}, patch({ op: 'remove', path: 'emails', value: [{ value: 'kim@private.example' }] })],
    [
      { email: 'b@fabrikam.example' },
      patch({
        op: 'replace',
        path: 'emails',
        value: [
          { type: 'home', primary: true, value: 'kim@private.example' },
          { type: 'work', value: 'b@fabrikam.example' },
        ],
      }),
    ],
    [{ title: 'x'.repeat(500) }, patch({ op: 'replace', path: 'title', value: 'x'.repeat(600) })],
    [{ active: false }, patch({ op: 'replace', value: { [CORE]: { active: false } } })],
    [{ active: false }, patch({ op: 'replace', path: CORE, value: { Active: 'False' } })],
    [{ givenName: 'J' }, patch({ op: 'replace', value: { Name: { GivenName: 'J' } } })],
    [{}, patch()],
  ])('becomes %j', (changes, body) =>
    expect(patchUser(user, body, isProven)).toEqual({ ...user, ...changes }),
  );

  test.each<[scimType: string, body: Body]>([
    ['invalidSyntax', {}],
    ['invalidSyntax', patch({ op: 'move', path: 'active' })],
    ['invalidSyntax', { Operations: [null] }],
    ['noTarget', patch({ op: 'remove' })],
    ['invalidPath', patch({ op: 'replace', path: 'emails[type', value: 'x' })],
    ['invalidPath', patch({ op: 'replace', path: 7, value: 'x' })],
    ['invalidPath', patch({ op: 'replace', path: '__proto__.active', value: false })],
    ['invalidPath', patch({ op: 'replace', path: 'constructor', value: { prototype: {} } })],
    ['invalidPath', patch({ op: 'replace', value: { 'constructor.prototype.active': true } })],
    ['invalidValue', patch({ op: 'replace', value: 'x' })],
    ['invalidValue', patch({ op: 'replace', path: 'active', value: 'no' })],
    ['invalidValue', patch({ op: 'replace', path: 'title', value: { a: 1 } })],
    ['invalidValue', patch({ op: 'replace', path: 'userName', value: 'x'.repeat(501) })],
    ['noTarget', patch({ op: 'replace', path: 'emails[value eq "old@x.example"].value', value: 'x' })],
    ['invalidPath', patch({ op: 'replace', path: 'emails[value co "x"].value', value: 'x' })],
    ['invalidValue', patch({ op: 'remove', path: 'userName' })],
    // One bad operation spoils all.
    [
      'invalidValue',
      patch({ op: 'replace', path: 'active', value: false }, { op: 'add', path: 'title', value: [1, 2] }),
    ],
  ])('is refused with %s: %j', (scimType, body) =>
    expect(patchUser(user, body, isProven)).toMatchObject({ status: 400, scimType }),
  );

  test('keeps what a PUT leaves out, and drops what the portal makes itself', () => {
    const dropped = { id: 'x', meta: { location: 'y' }, groups: [], [ENTERPRISE]: { title: 'Chief' } };
    const body = { ...dropped, userName: 'new', active: false };
    expect(replaceUser(user, body, isProven)).toEqual({ ...user, userName: 'new', active: false });
    const inactive = { ...user, active: false };
    expect(replaceUser(inactive, { userName: 'new' }, isProven)).toMatchObject({ active: false });
    for (const nameless of [{ userName: '' }, { active: true }])
      expect(replaceUser(user, nameless, isProven)).toMatchObject({ scimType: 'invalidValue' });
  });
});

describe('a group', () => {
  test.each<[what: object, body: Body]>([
    [edit({ u3: true }), patch({ op: 'add', value: { members: [{ value: 'u3' }] } })],
    [edit({ u3: true }), patch({ op: 'add', path: 'Members', value: [{ Value: 'u3', type: 'User' }] })],
    [edit({}, true), patch({ op: 'remove', path: 'members' })],
    [
      edit({ u1: true, u2: false }, true),
      patch(
        { op: 'add', path: 'members', value: [{ value: 'u3' }] },
        { op: 'replace', path: 'members', value: [{ value: 'u1' }, { value: 'u2' }] },
        { op: 'remove', path: 'members[value eq "u2" and type eq "User"]' },
      ),
    ],
    [{}, patch({ op: 'remove', path: 'members', value: [] })],
    [{ externalId: '8' }, patch({ op: 'Replace', path: 'externalId', value: '8' })],
  ])('becomes %j', (changes, body) => expect(patchGroup(group, body)).toEqual({ ...group, ...changes }));

  test.each<Body>([
    patch({ op: 'add', path: 'members', value: [{ value: 7 }] }),
    patch({ op: 'add', path: 'members[type eq "x"]', value: [] }),
    patch({ op: 'remove', path: 'displayName' }),
  ])('is refused: %j', (body) => expect(patchGroup(group, body)).toMatchObject({ scimType: 'invalidValue' }));

  test('keeps its members in a PUT without them', () => {
    expect(replaceGroup(group, { displayName: 'EU' })).toEqual({ ...group, displayName: 'EU' });
    expect(replaceGroup(newGroup, { displayName: 'EU', members: [{ value: 'u1' }] })).toMatchObject(
      edit({ u1: true }, true),
    );
    expect(replaceGroup(group, { members: [] })).toMatchObject({ scimType: 'invalidValue' });
  });
});

test('thousands of operations and addresses take no time', () => {
  const start = performance.now();
  const adds = Array.from({ length: 3300 }, (_, at) => ({ op: 'add', path: 'members', value: `u${at}` }));
  expect(patchGroup(group, patch(...adds))).toMatchObject({ displayName: 'Sales' });
  const emails = Array.from({ length: 9000 }, (_, at) => ({ value: `u${at}@fabrikam.example` }));
  expect(replaceUser(user, { userName: 'x', emails }, isProven)).toMatchObject({ userName: 'x' });
  // Once it took seconds; the bound leaves room for a busy machine.
  expect(performance.now() - start).toBeLessThan(1000);
});

test('no body is a fault, and none reaches a prototype', () => {
  const word = fc.constantFrom(
    'active',
    ...'members emails name userName constructor __proto__ value'.split(' '),
  );
  const path = fc.oneof(
    word,
    fc.string(),
    fc.tuple(word, fc.string(), word).map(([a, b, c]) => `${a}[${b}].${c}`),
  );
  const operation = fc.record(
    { op: fc.oneof(fc.constantFrom('add', 'Replace', 'remove'), fc.string()), path, value: fc.jsonValue() },
    { requiredKeys: ['op'] },
  );
  const body = fc.oneof(fc.dictionary(word, fc.jsonValue()), fc.record({ Operations: fc.array(operation) }));
  fc.assert(
    fc.property(body, path, (given, filter) => {
      const after = [replaceUser(user, given, isProven), patchUser(user, given, isProven)];
      const isWhole = (one: object) => Object.keys(one).join() === Object.keys(user).join();
      expect(after.every((one) => one instanceof ScimRefusal || isWhole(one))).toBe(true);
      for (const change of [replaceGroup, patchGroup]) change(group, given);
      readFilter(`${filter} eq "x"`, userFilters);
    }),
    { numRuns: 500 },
  );
  expect([Object.keys(Object.prototype), ({} as Body)['active']]).toEqual([[], undefined]);
});

test.each([
  ['Odell, Fiona', 'Fiona', 'Odell'],
  ['Hopper,  Grace (IT)', 'Grace', 'Hopper'],
  ['Fiona Odell', 'Fiona', 'Odell'],
  ['Suharto', 'Suharto', ''],
  ['Maria de la Cruz', 'Maria de la Cruz', ''],
  ['de la Cruz, Maria', 'Maria', 'de la Cruz'],
  ['Kim Akers, Jr.', 'Kim Akers, Jr.', ''],
  ['a, b, c', 'a, b, c', ''],
  ['山田 花子', '山田 花子', ''],
  [',', ',', ''],
  ['', '', ''],
])('the whole name %j', (whole, firstName, lastName) =>
  expect(partsOfName(whole)).toEqual({ firstName, lastName }),
);
