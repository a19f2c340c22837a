import { expect, test } from 'vitest';
import type { Actor } from '#contract/members/authority.ts';
import type { DirectoryPart, Member } from '#contract/members/calls.ts';
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

const managed = (member: Member, ...parts: DirectoryPart[]) => ({ ...member, managed: parts });
const { guardLast, guardOwnRole, guardOwnStatus, guardSelf, guardRemove, guardDisabled } = text;
const aboveAdmin = text.guardSuperAdmin;

test.each([
  ['a Super Admin of a member', superAdmin, person(3, 'Sales'), 2, {}],
  ['a Super Admin of another', superAdmin, person(3, 'Super Admin'), 2, {}],
  ['a Super Admin of a disabled member', superAdmin, person(3, 'Sales', 4), 1, {}],
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
    {
      edit: aboveAdmin,
      resend: aboveAdmin,
      names: aboveAdmin,
      role: aboveAdmin,
      status: aboveAdmin,
      remove: guardRemove,
    },
  ],
  [
    'an Admin of a disabled member',
    admin,
    person(3, 'Sales', 4),
    1,
    { status: guardDisabled, remove: guardRemove },
  ],
  [
    'a Super Admin of a member with a group’s role',
    superAdmin,
    managed(person(3, 'Sales'), 'names', 'role'),
    2,
    { names: text.managed, role: text.managed },
  ],
  [
    'a Super Admin of a person whom the directory deactivated, and nothing is left to change',
    superAdmin,
    managed(person(3, 'Sales', 3), 'names', 'role', 'status'),
    2,
    { edit: text.managed, names: text.managed, role: text.managed, status: text.managed },
  ],
  [
    'a Super Admin of an invited person with a group’s role',
    superAdmin,
    managed(person(3, 'Sales', 1), 'names', 'role'),
    2,
    { edit: text.managed, names: text.managed, role: text.managed, status: guardDisabled },
  ],
] as const)('%s', (_, caller, member, superAdmins, guards) => {
  expect(guardsOf(caller, member, superAdmins)).toEqual(guards);
});

test('a member without a name is called by their address', () => {
  expect(memberName(person(3, 'Sales'))).toBe('Tom Berg');
  expect(memberName({ ...person(3, 'Sales'), firstName: '', lastName: '' })).toBe('tom@x.example');
});
