import { describe, expect, test } from 'vitest';
import { ACTION, ACTIVITY_TYPE } from '#contract/activity/calls.ts';
import { kindsIn } from '#contract/activity/recorded.ts';
import { announcementOf, eventNamed } from '#server/webhooks/events/rules.ts';

test.each(['organization', 'person', 'operator'] as const)(
  'each act in the log of the %s is announced, or listed as not announced',
  (log) => {
    const missing = kindsIn(log).filter(
      ([, type, action]) => eventNamed(log === 'organization', type, action) === undefined,
    );
    expect(missing).toEqual([]);
  },
);

describe('an announcement', () => {
  const row = { orgId: 5, userId: 7, type: ACTIVITY_TYPE.invitedContact, action: ACTION.update, recordId: 9 };

  test('contains the changed fields that receivers may know, and nothing else', () => {
    const information = { role: ['Sales', 'Lead'], secret: ['a', 'b'], operator: 'root' };
    expect(announcementOf({ ...row, information })).toEqual({
      event: 'member.changed',
      person: 9,
      subject: 'user 9',
      lane: 1,
      data: { org_id: 5, changes: { role: ['Sales', 'Lead'] } },
    });
  });

  test('is not made for a change of other fields', () =>
    expect(announcementOf({ ...row, information: { secret: ['a', 'b'] } })).toBeUndefined());

  test.each([
    [5, { status: [2, 3] }, 'member.changed'],
    [5, { status: [2, null] }, 'member.ended'],
    [null, { due_at: [null, '2026-05-01T09:00:00.000Z'] }, 'person.changed'],
    [null, {}, 'person.deleted'],
  ])('of a deletion in the log of organization %s with %j is %s', (orgId, information, event) => {
    const deletion = { ...row, orgId, type: ACTIVITY_TYPE.deleteAccount, action: ACTION.delete, information };
    expect(announcementOf(deletion)?.event).toBe(event);
  });

  test('of a role contains its rights', () => {
    const information = { role: 'Sales', 'sign.1.create': [false, true] };
    const permission = { ...row, type: ACTIVITY_TYPE.permission, information };
    expect(announcementOf(permission)).toMatchObject({
      event: 'role.changed',
      person: null,
      subject: 'role 9',
      data: { role_id: 9, changes: { 'sign.1.create': [false, true] } },
    });
  });
});
