import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { accounts } from '#contract/accounts/calls.ts';
import { confirmation } from '#contract/accounts/confirmation.ts';
import { member, members, memberStatus } from '#contract/members/calls.ts';
import { organization, organizations } from '#contract/organizations/calls.ts';
import { role } from '#contract/roles/calls.ts';
import { signedIn, signIn } from '#contract/sign-in/calls.ts';
import { user } from '#contract/profile/user.ts';

const at = '2026-01-02T03:04:05.000Z';
const anOrganization = {
  Id: 7,
  OrgName: 'Northwind',
  Orgtype: '',
  isDefault: 1,
  OrgUrlName: 'northwind',
  EmployeeCount: null,
  Description: '',
  WebSite: '',
  ApplicationName: 'Portico',
  Language: null,
  AppIconDark: '/a.png',
  AppIconLight: '/b.png',
  role: 'Admin',
};
const aUser = {
  id: 3,
  first_name: 'Ann',
  last_name: '',
  full_name: 'Ann',
  contact_number: '',
  profile_picture_url: null,
  designation: '',
  user_role: null,
  time_zone: 'Europe/Berlin',
  language: 'de',
  country: 'Germany',
  email: 'ann@example.com',
  address_manager: null,
  pending_email: null,
  confirmed: 0,
  mfa_enabled: 0,
  has_password: 1,
};
const aRole = {
  id: 2,
  name: 'Admin',
  created_time: at,
  created_by: 'Ann',
  is_admin: 1,
  is_system: 1,
  members: 4,
};
const aMember = {
  id: 5,
  user_id: 3,
  first_name: 'Ann',
  last_name: '',
  email: null,
  role: 'Admin',
  role_id: 2,
  designation: '',
  status: 1,
  invitation_expires: at,
};

/** Answers as the wire spells them. Decoding and encoding must give the same keys and values. */
const answers: Record<string, [schema: z.core.$ZodType, wire: object]> = {
  Organization: [organization, anOrganization],
  User: [user, aUser],
  Role: [role, aRole],
  Member: [member, aMember],
  'GET /ustat': [signedIn, { id: 3, email: 'ann@example.com', full_name: 'Ann', confirmed: 1, person: 'x' }],
  'GET /init': [
    organizations.init.output,
    {
      person: 'x',
      default_organizations: anOrganization,
      other_organizations: [anOrganization],
      closed_organizations: [{ Id: 7, OrgName: 'Northwind', status: 3, by_directory: 0 }],
      Roles: [aRole],
      organizations_users: [aMember],
      user_information: aUser,
    },
  ],
  'POST /orgs': [organizations.create.output, { Id: 7, OrgUrlName: 'northwind' }],
  'GET /orgusers': [members.list.output, { members: [aMember], next: 'abc', total: 1, super_admins: 1 }],
  'GET /invitation': [
    members.invitation.output,
    { organization: 'Northwind', role: 'Admin', invited_by: 'Ann', email: 'a•••@x.example', state: 'open' },
  ],
  'POST /invitation': [members.answer.output, { OrgUrlName: 'northwind' }],
  'POST /signup': [accounts.signUp.output, { id: 3, confirmed: 0 }],
  'POST /signup, neutral': [accounts.signUp.output, { confirmed: 0 }],
  'POST /signin': [signIn.signIn.output, { mfa_enabled: 0, next: '/x' }],
  'POST /verifyemail': [confirmation.verifyEmail.output, { password_needed: 1, digest: 'abc' }],
};

describe('answers', () => {
  test.each(Object.entries(answers))('%s has exactly the keys of the wire', (_, [schema, wire]) => {
    expect(z.encode(schema, z.decode(schema, wire))).toStrictEqual(wire);
  });
});

test('a member’s status is 1 to 4', () => {
  expect([0, 1, 2, 3, 4, 5, '1', null].map((value) => z.safeParse(memberStatus, value).success)).toEqual([
    false,
    true,
    true,
    true,
    true,
    false,
    false,
    false,
  ]);
});
