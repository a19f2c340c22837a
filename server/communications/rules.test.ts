import { expect, test } from 'vitest';
import { type NotificationKind, notificationKinds } from '#contract/communications/calls.ts';
import { linkOf, type NotificationWords, notificationTextOf } from './rules.ts';

const details = {
  inviter: 'Maya Lindqvist',
  name: 'tom@northwind.example',
  organization: 'Northwind',
  role: 'Admin',
  browser: 'Chrome',
  system: 'Linux',
  email: 'maya@northwind.example',
  accepted: 'yes',
  place: 'London, United Kingdom',
};
const notification = (kind: NotificationKind, more: Partial<NotificationWords> = {}): NotificationWords => ({
  kind,
  details,
  urlName: 'northwind',
  isAdmin: true,
  ...more,
});

test.for<[NotificationKind, string]>([
  ['invitation', 'Maya Lindqvist invited you to join Northwind as Admin.'],
  ['invitation_answered', 'tom@northwind.example accepted your invitation to Northwind.'],
  ['role_changed', 'Your role in Northwind is now Admin.'],
  ['new_device', 'New sign-in to your account with Chrome on Linux, from London, United Kingdom.'],
  // The change is one of a newer release.
  ['way_in_changed', 'How you sign in to your account was changed.'],
  [
    'address_to_confirm',
    'Please confirm that maya@northwind.example is your address. We emailed you a link.',
  ],
  ['deletion_scheduled', 'You asked us to delete your account, and restored it since.'],
  ['operator_looked', 'The operator’s support looked at your account.'],
])('%s says: %s', ([kind, words]) => expect(notificationTextOf(notification(kind))).toBe(words));

test('an old notification of a new sign-in without a place is shown without one', () => {
  const { place: _, ...before } = details;
  expect(notificationTextOf(notification('new_device', { details: before }))).toBe(
    'New sign-in to your account with Chrome on Linux.',
  );
});

test('the notification of a declined invitation says so', () => {
  const declined = notification('invitation_answered', { details: { ...details, accepted: 'no' } });
  expect(notificationTextOf(declined)).toBe('tom@northwind.example declined your invitation to Northwind.');
});

test.for(notificationKinds)('%s links only to pages that its reader may open', (kind) => {
  const links = {
    admin: linkOf(notification(kind), 'here'),
    member: linkOf(notification(kind, { isAdmin: false }), 'here'),
    outside: linkOf(notification(kind, { urlName: null, isAdmin: null }), 'here'),
    nowhere: linkOf(notification(kind, { urlName: null, isAdmin: null }), undefined),
  };
  const own = (page: string) => ({ ...none, admin: page, member: page, outside: page });
  const ofMembers = (page: string) => ({ ...none, admin: page, member: page });
  const none = { admin: undefined, member: undefined, outside: undefined, nowhere: undefined };
  const expected: Partial<Record<NotificationKind, object>> = {
    new_device: own('/here/signindevices'),
    way_in_changed: own('/here/myprofile#ways-in'),
    address_to_confirm: own('/here/myprofile#contact'),
    second_step_asked: ofMembers('/northwind/myprofile#ways-in'),
    role_changed: ofMembers('/northwind/myprofile'),
    invitation_answered: { ...none, admin: '/northwind/organization' },
  };
  expect(links).toEqual(expected[kind] ?? none);
});
