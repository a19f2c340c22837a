import { expect, test } from 'vitest';
import { maskEmail } from '#contract/accounts/mask.ts';
import { askedContact } from './asked-contact.ts';

const query = (contact: string) => `?${new URLSearchParams({ contact }).toString()}`;

test.each([
  'maya@northwind.io',
  'm@northwind.io',
  "o'neil@xn--mnchen-3ya.de",
  'ann@münchen.de',
  '+1@a-b.example',
])('accepts the masked form of %s', (email) => {
  const masked = maskEmail(email);
  expect(askedContact(query(masked))).toBe(masked);
});

test.each([
  '',
  '•••',
  'maya@northwind.io',
  'm•••@',
  'Call 555-0100 •••@x.io',
  'm•••@north wind.io',
  'm•••@<b>.io',
])('rejects %j', (text) => {
  expect(askedContact(query(text))).toBeUndefined();
});

test('without a contact it returns undefined', () => {
  expect(askedContact('?redirectpath=%2Fmyapps')).toBeUndefined();
});
