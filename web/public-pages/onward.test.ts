import { describe, expect, test } from 'vitest';
import { returnedUrl, type Way, waysOf } from './onward.ts';

const application = { go: 'application', url: 'https://sign.example/?x=1' } as const;
const redirectQuery = 'redirect_url=https%3A%2F%2Fsign.example%2F%3Fx%3D1';
const follow = (base: 'account' | 'signature', path: string) => ({ go: 'follow', base, path }) as const;

describe('destinations in a query', () => {
  test.each<[string, Way[]]>([
    ['', []],
    ['redirectpath=%2Facme&closeTab=true', []],
    [redirectQuery, [application]],
    [`${redirectQuery}&org=northwind`, [{ ...application, org: 'northwind' }]],
    [`${redirectQuery}&org=`, [application]],
    [`${redirectQuery}&org=Northwind`, [application]],
    [`${redirectQuery}&org=north%20wind`, [application]],
    [`${redirectQuery}&org=${'a'.repeat(61)}`, [application]],
    ['org=northwind', []],
    ['redirect_url=', []],
    ['source=monday', [{ go: 'close' }]],
    ['source=pipedrive', [{ go: 'close' }]],
    ['source=zoho', [{ go: 'close' }]],
    ['source=Monday', []],
    ['source=evil', []],
    ['next=sign&base=1', [follow('account', 'sign')]],
    ['next=/documents/7-a_b&base=2', [follow('signature', 'documents/7-a_b')]],
    ['next=sign', []],
    ['base=1', []],
    ['action=sdk', [{ go: 'test page' }]],
    ['action=no_org', []],
    [
      `action=sdk&base=2&next=done&source=zoho&${redirectQuery}`,
      [application, { go: 'close' }, follow('signature', 'done'), { go: 'test page' }],
    ],
  ])('%o', (query, ways) => {
    expect(waysOf(new URLSearchParams(query))).toEqual(ways);
  });

  test.each(['', '0', '3', '01', '1.0', ' 1', '12', 'https://evil.example'])(
    'base %o gives no destination',
    (base) => {
      expect(waysOf(new URLSearchParams({ next: 'sign', base }))).toEqual([]);
    },
  );

  test.each([
    '',
    '/',
    '//evil.example',
    '/\\evil.example',
    ...'https://evil.example javascript:alert(1) .. ../admin documents/../admin'.split(' '),
    ...'documents/./admin documents//admin documents/ %2e%2e/admin documents%2fadmin'.split(' '),
    'documents\\admin',
    'documents?x=1',
    'documents#x',
    '@evil.example',
    'user:pass@evil.example',
    ':8080/x',
    'documents\n',
    ' documents',
    'documents\u0000',
    'dосuments',
    'a'.repeat(201),
  ])('the follow-up %o gives no destination', (next) => {
    for (const base of ['1', '2']) expect(waysOf(new URLSearchParams({ next, base }))).toEqual([]);
  });
});

test.each([
  [{ success: true, response: { url: '/acme' } }, '/acme'],
  [{ url: 'https://sign.example/' }, 'https://sign.example/'],
  [{ response: null, url: '/acme' }, '/acme'],
  [{ response: {} }, undefined],
  [{ url: 7 }, undefined],
  [{ url: { href: '/acme' } }, undefined],
  ['/acme', undefined],
  [null, undefined],
  [undefined, undefined],
])('the answer %o gives the URL %o', (answer, url) => {
  expect(returnedUrl(answer)).toBe(url);
});
