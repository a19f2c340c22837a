import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import {
  addressProblems,
  ADDRESSES_MAX,
  type ApplicationKind,
  exactAddress,
  optionalAddress,
  publicAddress,
  redirectAddresses,
} from './registration.ts';
import { addressText } from '#words/address.ts';

const messageOf = (field: z.core.$ZodType, value: unknown) =>
  z.safeDecode(field, value).error?.issues[0]?.message;

describe('an exact address', () => {
  test.for([
    'https://a.example/callback',
    'https://a.example',
    'https://a.example:8443/cb?x=1&y=a@b',
    'http://localhost:3000/cb',
    'http://127.0.0.1/cb',
    'http://[::1]:8080/cb',
    'https://[2001:db8::1]/cb',
  ])('may be %s', (address) => expect(z.decode(exactAddress, ` ${address}\n`)).toBe(address));

  test.for<[message: keyof typeof addressText, address: string]>([
    ['wildcard', 'https://*.a.example/cb'],
    ['wildcard', 'https://a.example/*'],
    ['fragment', 'https://a.example/cb#x'],
    ['fragment', 'https://a.example/cb#'],
    ['scheme', 'http://a.example/cb'],
    ['scheme', 'http://localhost.a.example/cb'],
    ['scheme', 'http://127.0.0.10/cb'],
    ['scheme', 'HTTPS://a.example/cb'],
    ['scheme', 'javascript:alert(1)'],
    ['scheme', 'com.example:/cb'],
    ['scheme', '//a.example/cb'],
    ['userPart', 'https://u@a.example/cb'],
    ['userPart', 'https://u:p@a.example/cb'],
    ['userPart', 'http://localhost:x@a.example/cb'],
    ['address', 'https://'],
    ['address', 'https:///cb'],
    ['address', String.raw`https://a.example\b.example/cb`],
    ['address', 'https://a.example/c b'],
    ['address', 'https://a.example:port/cb'],
    ['address', 'https://a.example:99999/cb'],
    ['address', 'https://1.2.3.456/cb'],
    ['address', 'https://[::::]/cb'],
    ['address', 'https://ä.example/cb'],
    ['address', 'https://a.example/"'],
    ['address', 'https://a.example/\u0000'],
  ])('breaks the rule %s: %s', ([message, address]) =>
    expect(messageOf(exactAddress, address)).toBe(addressText[message]),
  );
});

test('a list takes each address once, up to the limit', () => {
  const of = (count: number) => Array.from({ length: count }, (_, at) => `https://a.example/${at}`);
  expect(messageOf(redirectAddresses, of(ADDRESSES_MAX))).toBeUndefined();
  expect(messageOf(redirectAddresses, of(ADDRESSES_MAX + 1))).toContain(String(ADDRESSES_MAX));
  expect(messageOf(redirectAddresses, ['https://a.example/', ' https://a.example/'])).toBe(addressText.twice);
});

test.for<[string, ApplicationKind, string[], string[], object]>([
  ['needs an address', 'web', [], [], { redirectUrls: addressText.noRedirect }],
  ['signs nobody in', 'server', [], [], {}],
  ['has a web server', 'web', ['https://localhost/'], [], {}],
  ['has no certificate', 'native', ['https://localhost/'], [], { redirectUrls: addressText.loopback }],
  [
    'has none after sign-out',
    'native',
    ['http://[::1]/'],
    ['https://127.1/'],
    { signedOutUrls: addressText.loopback },
  ],
])('an application that %s: %s', ([, kind, redirectUrls, signedOutUrls, problems]) =>
  expect(addressProblems({ kind, redirectUrls, signedOutUrls })).toEqual(problems),
);

test('one address may be left out', () => {
  expect(z.decode(optionalAddress, '')).toBe('');
  expect(messageOf(optionalAddress, 'http://a.example')).toBe(addressText.scheme);
});

describe('the sign-out address of an organization', () => {
  test.for(['', 'https://a.example/out', 'https://a.b.example:8443/out'])('may be "%s"', (address) =>
    expect(z.decode(publicAddress, address)).toBe(address),
  );
  test.for([
    'http://localhost/out',
    'https://localhost/out',
    'https://intranet/out',
    'https://10.0.0.1/out',
    'https://[::1]/out',
    'https://printer.local/out',
  ])('may not be %s', (address) => expect(messageOf(publicAddress, address)).toBe(addressText.publicAddress));
});
