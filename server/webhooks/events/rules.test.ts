import { describe, expect, test } from 'vitest';
import { memberColumns } from '#contract/members/calls.ts';
import { WEBHOOK_EVENTS } from '#contract/webhooks/calls.ts';
import type { Tables } from '#server/db/tables.ts';
import { announcedEvents, announcementOf, fields } from './rules.ts';

type Told<T extends keyof Tables> = Record<keyof Tables[T], string | { readonly field: string }>;

test('every event has an act of the log that announces it, or the trigger at the end of sessions', () =>
  expect(new Set([...announcedEvents, 'sessions.ended'])).toEqual(new Set([...WEBHOOK_EVENTS, null])));

describe('a column', () => {
  const ID = 'never changes';
  const DERIVED = 'derived from other columns';
  const SIGN_IN = 'how people sign in is nobody else’s business';
  /** The field that tells each column, or why none does. A new column does not compile without. */
  const columns = {
    member: {
      ...memberColumns,
      role_id: { field: 'role' },
      status: { field: 'status' },
      email_key: { field: 'email' },
      paused_at: { field: 'status' },
      id: ID,
      org_id: ID,
      user_id: ID,
      created_at: ID,
      is_default: 'the person’s own choice',
      invited_by: 'receivers need not know how the organization is administered',
      invitation_expires_at: 'receivers need not know how the organization is administered',
      invitation_language: 'receivers need not know how the organization is administered',
      name_key: DERIVED,
      last_key: DERIVED,
    } satisfies Told<'memberships'>,
    person: {
      first_name: { field: 'first_name' },
      last_name: { field: 'last_name' },
      designation: { field: 'designation' },
      country: { field: 'country' },
      time_zone: { field: 'time_zone' },
      language: { field: 'language' },
      contact_number: { field: 'contact_number' },
      email: { field: 'email' },
      confirmed_at: { field: 'confirmed' },
      phone_e164: DERIVED,
      id: ID,
      created_at: ID,
      mfa_enabled: SIGN_IN,
      wrong_codes: SIGN_IN,
      passkey_offer_declined_at: SIGN_IN,
      language_chosen: SIGN_IN,
    } satisfies Told<'users'>,
  };
  test.each(['member', 'person'] as const)(
    'of a %s is announced by its field, or listed with a reason',
    (about) => {
      const told = Object.values(columns[about]).flatMap((one) =>
        typeof one === 'object' ? [one.field] : [],
      );
      expect(fields[about]).toEqual(expect.arrayContaining(told));
    },
  );
});

describe('an announcement', () => {
  const row = { orgId: 5, userId: 7, recordId: 9 };

  test('contains the changed fields that receivers may know, and nothing else', () => {
    const information = { role: ['Sales', 'Lead'], url: ['a', 'b'], operator: 'root' };
    expect(announcementOf('organization.invitedContact.update', { ...row, information })).toEqual({
      event: 'member.changed',
      person: 9,
      subject: 'user 9',
      lane: 1,
      data: { org_id: 5, changes: { role: ['Sales', 'Lead'] } },
    });
  });

  test('is not made for a change of other fields', () =>
    expect(
      announcementOf('organization.invitedContact.update', { ...row, information: { url: ['a', 'b'] } }),
    ).toBeUndefined());

  test.each([
    [5, { status: [2, 3] }, 'member.changed'],
    [5, { status: [2, null] }, 'member.ended'],
    [null, { due_at: [null, '2026-05-01T09:00:00.000Z'] }, 'person.changed'],
    [null, {}, 'person.deleted'],
  ])('of a deletion in the log of organization %s with %j is %s', (orgId, information, event) => {
    const act = `${orgId === null ? 'person' : 'organization'}.deleteAccount.delete` as const;
    expect(announcementOf(act, { ...row, orgId, information })?.event).toBe(event);
  });

  test('of a role contains its rights', () => {
    const information = { role: 'Sales', 'sign.1.create': [false, true] };
    expect(announcementOf('organization.permission.update', { ...row, information })).toMatchObject({
      event: 'role.changed',
      person: null,
      subject: 'role 9',
      data: { role_id: 9, changes: { 'sign.1.create': [false, true] } },
    });
  });
});
