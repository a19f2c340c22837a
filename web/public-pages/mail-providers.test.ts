import { expect, it } from 'vitest';
import { mailProviderOf } from './mail-providers.ts';

it.each([
  ['maya@gmail.com', 'Gmail'],
  ['Maya@GoogleMail.com', 'Gmail'],
  ['maya@hotmail.com', 'Outlook'],
  ['maya@yahoo.co.uk', 'Yahoo Mail'],
  ['maya@me.com', 'iCloud Mail'],
  ['maya@proton.me', 'Proton Mail'],
  ['maya@gmx.de', 'GMX'],
])('knows where %s reads mail', (email, name) => {
  const provider = mailProviderOf(email);
  expect(provider?.name).toBe(name);
  expect(provider?.url).toMatch(/^https:\/\//);
});

it.each(['maya@northwind.io', 'maya@mail.gmail.com', 'maya@gmail.com.evil.example', 'gmail.com@x.org', ''])(
  'does not guess for %s',
  (email) => {
    expect(mailProviderOf(email)).toBeUndefined();
  },
);
