import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { accounts } from '#contract/accounts/calls.ts';
import { confirmation } from '#contract/accounts/confirmation.ts';
import { member, members, memberStatus } from '#contract/members/calls.ts';
import { organization, organizations } from '#contract/organizations/calls.ts';
import { profile } from '#contract/profile/calls.ts';
import { role } from '#contract/roles/calls.ts';
import { recovery } from '#contract/sign-in/recovery.ts';
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
  country: 'Germany',
  email: 'ann@example.com',
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
      closed_organizations: [{ Id: 7, OrgName: 'Northwind', status: 3 }],
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
  test.each(Object.entries(answers))('%s needs every key except the optional ones', (_, [schema, wire]) => {
    const optional = new Set([
      'invitation_expires',
      'id',
      'next',
      'digest',
      'OrgUrlName',
      'closed_organizations',
    ]);
    for (const key of Object.keys(wire).filter((name) => !optional.has(name))) {
      const { [key]: _left, ...rest } = wire as Record<string, unknown>;
      expect([key, z.safeDecode(schema, rest as never).success]).toEqual([key, false]);
    }
  });
});

const digest = 'abc';
const password = 'correct horse';
const inputs: Record<string, [schema: z.core.$ZodType, body: object, ours: object]> = {
  'POST /signup': [
    accounts.signUp.input,
    { emailId: 'a@b.co', password, timezone: 'Etc/UTC' },
    { email: 'a@b.co', password, timeZone: 'Etc/UTC' },
  ],
  'POST /verifyemail': [confirmation.verifyEmail.input, { digest, password }, { digest, password }],
  'POST /verifyemail/resend': [
    confirmation.resendVerification.input,
    { email_id: 'a@b.co' },
    { email: 'a@b.co' },
  ],
  'POST /signin': [
    signIn.signIn.input,
    { email_id: 'a@b.co', password: 'not known', timezone: '', redirectpath: '/x' },
    { email: 'a@b.co', password: 'not known', timeZone: '', redirectPath: '/x' },
  ],
  'POST /resetpassword': [
    recovery.createPassword.input,
    { password, digest, timezone: '' },
    { password, digest, timeZone: '' },
  ],
  'POST /orgs': [
    organizations.create.input,
    {
      first_name: 'Ann',
      last_name: '',
      country_name: 'Germany',
      contact_number: '1',
      organaization_name: 'Acme 1',
      employee_count: '12',
      email_id: 'a@b.co',
    },
    {
      firstName: 'Ann',
      lastName: '',
      country: 'Germany',
      contactNumber: '1',
      name: 'Acme 1',
      employeeCount: 12,
      email: 'a@b.co',
    },
  ],
  'PUT /user': [
    profile.update.input,
    {
      org_id: 7,
      first_name: 'Ann',
      last_name: '',
      designation: '',
      country: 'Germany',
      time_zone: 'Asia/Calcutta',
    },
    {
      orgId: 7,
      firstName: 'Ann',
      lastName: '',
      designation: '',
      country: 'Germany',
      timeZone: 'Asia/Kolkata',
    },
  ],
  'GET /orgusers': [
    members.list.input,
    {
      org_id: 'c7',
      search: ' An ',
      status: '2',
      role_id: '4',
      sort: 'name',
      descending: '1',
      after: 'abc',
      limit: '20',
    },
    {
      orgId: 7,
      search: 'An',
      status: 2,
      roleId: 4,
      sort: 'name',
      descending: '1',
      after: 'abc',
      limit: 20,
    },
  ],
  'POST /orgusers': [
    members.invite.input,
    { org_id: 7, role_id: 4, first_name: 'Ann', last_name: '', email_id: 'a@b.co', designation: '' },
    { orgId: 7, roleId: 4, firstName: 'Ann', lastName: '', email: 'a@b.co', designation: '' },
  ],
  'PUT /orgusers': [
    members.edit.input,
    { org_id: 7, user_id: 3, first_name: 'Ann', last_name: '', designation: '', role_id: 4, status: 3 },
    { orgId: 7, userId: 3, firstName: 'Ann', lastName: '', designation: '', roleId: 4, status: 3 },
  ],
  'DELETE /orgusers': [members.remove.input, { org_id: 7, del_user_id: 3 }, { orgId: 7, userId: 3 }],
  'POST /orgusers/resend': [members.resend.input, { org_id: 7, user_id: 3 }, { orgId: 7, userId: 3 }],
  'POST /invitation': [members.answer.input, { digest, accept: 1 }, { digest, accept: true }],
  'GET /init': [organizations.init.input, { org_id: 'c7' }, { orgId: 7 }],
  'GET /user': [profile.read.input, { org_id: '7' }, { orgId: 7 }],
};

test.each(Object.entries(inputs))('%s takes exactly the keys of the wire', (_, [schema, body, ours]) => {
  expect(z.decode(schema, body)).toStrictEqual(ours);
});

test.each([
  [organizations.create.input, { country_name: 'Germany', first_name: 'Ann' }],
  [signIn.signIn.input, { email_id: 'a@b.co', password: 'not known', timezone: '' }],
  [confirmation.verifyEmail.input, { digest }],
  [profile.read.input, {}],
])('%#: optional keys may be left out, the others not', (schema, body) => {
  expect(z.safeDecode(schema, body as never).success).toBe(true);
  for (const key of Object.keys(body)) {
    const { [key]: _left, ...rest } = body as Record<string, unknown>;
    expect([key, z.safeDecode(schema, rest as never).success]).toEqual([key, false]);
  }
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
