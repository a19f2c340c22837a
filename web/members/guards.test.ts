import { expect, test } from 'vitest';
import type { Actor } from '#contract/members/authority.ts';
import type { Member } from '#contract/members/calls.ts';
import { membersText as text } from '#words/members.ts';
import { guardsOf, memberName } from './guards.ts';

const superAdmin: Actor = { userId: 1, rank: 'superAdmin' };
const admin: Actor = { userId: 2, rank: 'admin' };
const person = (userId: number, role: string, status = 2) =>
  ({
    id: userId,
    userId,
    role,
    status,
    firstName: 'Tom',
    lastName: 'Berg',
    email: 'tom@x.example',
  }) as Member;

const none = { edit: undefined, role: undefined, status: undefined, remove: undefined };
const { guardLast, guardOwnRole, guardOwnStatus, guardSelf, guardRemove, guardDisabled } = text;
const aboveAdmin = text.guardSuperAdmin;

test.each([
  ['a Super Admin of a member', superAdmin, person(3, 'Sales'), 2, none],
  ['a Super Admin of another', superAdmin, person(3, 'Super Admin'), 2, none],
  ['a Super Admin of a disabled member', superAdmin, person(3, 'Sales', 4), 1, none],
  [
    'a Super Admin of themself',
    superAdmin,
    person(1, 'Super Admin'),
    2,
    { role: guardOwnRole, status: guardOwnStatus, remove: guardSelf },
  ],
  [
    'the last Super Admin of themself',
    superAdmin,
    person(1, 'Super Admin'),
    1,
    { role: guardLast, status: guardLast, remove: guardLast },
  ],
  ['an Admin of a member', admin, person(3, 'Sales'), 1, { remove: guardRemove }],
  ['an Admin of another', admin, person(3, 'Admin'), 1, { remove: guardRemove }],
  [
    'an Admin of themself',
    admin,
    person(2, 'Admin'),
    1,
    { role: guardOwnRole, status: guardOwnStatus, remove: guardRemove },
  ],
  [
    'an Admin of a Super Admin',
    admin,
    person(1, 'Super Admin'),
    1,
    { edit: aboveAdmin, role: aboveAdmin, status: aboveAdmin, remove: guardRemove },
  ],
  [
    'an Admin of a disabled member',
    admin,
    person(3, 'Sales', 4),
    1,
    { status: guardDisabled, remove: guardRemove },
  ],
] as const)('%s', (_, caller, member, superAdmins, guards) => {
  expect(guardsOf(caller, member, superAdmins)).toEqual({ ...none, ...guards });
});

test('a member without a name is called by their address', () => {
  expect(memberName(person(3, 'Sales'))).toBe('Tom Berg');
  expect(memberName({ ...person(3, 'Sales'), firstName: '', lastName: '' })).toBe('tom@x.example');
});
