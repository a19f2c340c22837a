import { describe, expect, test } from 'vitest';
import { WEBHOOK_EVENTS } from '#contract/webhooks/calls.ts';
import { announcedEvents, announcementOf } from '#server/webhooks/events/rules.ts';

test('every event has an act of the log that announces it, or the trigger at the end of sessions', () =>
  expect(new Set([...announcedEvents, 'sessions.ended'])).toEqual(new Set([...WEBHOOK_EVENTS, null])));

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
