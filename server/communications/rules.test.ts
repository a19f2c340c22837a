import { expect, test } from 'vitest';
import { type NotificationKind, notificationKinds } from '#contract/communications.ts';
import { linkOf, type Told, wordsOf } from '#server/communications/rules.ts';

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
const told = (kind: NotificationKind, more: Partial<Told> = {}): Told => ({
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
  ['address_to_confirm', 'Please confirm that maya@northwind.example is your address. We mailed you a link.'],
  ['deletion_scheduled', 'You asked us to delete your account, and restored it since.'],
])('%s says: %s', ([kind, words]) => expect(wordsOf(told(kind))).toBe(words));

test('a new sign-in from before places were told is told without one', () => {
  const { place: _, ...before } = details;
  expect(wordsOf(told('new_device', { details: before }))).toBe(
    'New sign-in to your account with Chrome on Linux.',
  );
});

test('an invitation may be declined, too', () => {
  const declined = told('invitation_answered', { details: { ...details, accepted: 'no' } });
  expect(wordsOf(declined)).toBe('tom@northwind.example declined your invitation to Northwind.');
});

test.for(notificationKinds)('%s leads only where its reader may go', (kind) => {
  const links = {
    admin: linkOf(told(kind), 'here'),
    member: linkOf(told(kind, { isAdmin: false }), 'here'),
    outside: linkOf(told(kind, { urlName: null, isAdmin: null }), 'here'),
    nowhere: linkOf(told(kind, { urlName: null, isAdmin: null }), undefined),
  };
  const own = '/here/signindevices';
  const none = { admin: undefined, member: undefined, outside: undefined, nowhere: undefined };
  const expected: Partial<Record<NotificationKind, object>> = {
    new_device: { ...none, admin: own, member: own, outside: own },
    role_changed: { ...none, admin: '/northwind/myprofile', member: '/northwind/myprofile' },
    invitation_answered: { ...none, admin: '/northwind/organization' },
  };
  expect(links).toEqual(expected[kind] ?? none);
});
