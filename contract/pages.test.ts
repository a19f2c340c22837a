import { expect, test } from 'vitest';
import { mayBeUrlName, publicPages, rememberedSegments } from './pages.ts';

test.each([...'acme ab a1 acme-works c12a cc12 c-12 c1-2 admin2 my-api'.split(' '), 'a'.repeat(60)])(
  '%s may be a URL name',
  (name) => expect(mayBeUrlName(name)).toBe(true),
);

test.each([
  ...'|a|c1|c12|c007|c9223372036854775808|12|1a|-a|_a|a_b|a.b|a b|a/b|Acme|ACME|ácme'.split('|'),
  ...'аcme'.split('|'),
  'acme\n',
  ' acme',
  'acme ',
  '..',
  '%61cme',
  'a'.repeat(61),
])('%j may not', (name) => {
  expect(mayBeUrlName(name)).toBe(false);
});

// Written out, so that the test notices a page that loses its reservation.
const reservedNames =
  `signup login support forgotpassword resetpassword notme createpassword verifyaccount verifyemail closetab
  farewell   onboarding invitation restoreaccount myprofile myapps communications organization signindevices recentactivity
  deleteaccount api drive assets outbox healthz readyz metrics admin www authorize signout oidc`.split(/\s+/);

test.each(reservedNames)('%s is reserved', (name) => {
  expect(mayBeUrlName(name)).toBe(false);
});

test('the pages are the specification’s', () => {
  expect(publicPages).toEqual(
    expect.arrayContaining(
      [
        ...'signup login support forgotpassword resetpassword createpassword verifyaccount'.split(' '),
        ...'closetab'.split(' '),
      ].map((name) => `/${name}`),
    ),
  );
  expect(rememberedSegments).toEqual([
    'myprofile',
    'communications',
    'organization',
    'signindevices',
    'recentactivity',
    'deleteaccount',
  ]);
});
