import fc from 'fast-check';
import { expect, test } from 'vitest';
import { besidePages, ownPageAt } from './own-page.ts';
import { mayBeUrlName, publicPages, rememberedSegments } from './pages.ts';

const ownPaths = `/ /northwind /northwind/myprofile /northwind/ /northwind/organization/role/7 /c12/myapps /12
  /onboarding?action=no_org /northwind?x=1#part /invitation?digest=a-b_c /northwind/?to=https://a.example/../b /northwind?next=//b
  /acme?tab=2&q=a%20b#top /?org_id=1 /#part /apis /driver /loginx /api-team /northwind/login`;

test.each(ownPaths.split(/\s+/))('%s is accepted', (path) => {
  expect(ownPageAt(path)).toBe(path);
});

const attacks: Record<string, string[]> = {
  'nothing path': [''],
  'another origin': [
    'https://evil.example',
    'http:evil.example',
    'javascript:alert(1)',
    'data:text/html,x',
    'evil.example',
  ],
  'a relative path': ['northwind', './northwind', '../northwind', '?x', '#x', '@evil.example'],
  'a second slash': ['//evil.example', '///evil.example', '//', '////evil.example/..', '//user@evil.example'],
  'a backslash': ['/\\evil.example', '\\\\evil.example', '\\/evil.example', '/a\\b', '/\\/evil.example'],
  'an encoded slash or backslash': [
    '/%2fevil.example',
    '/%2Fevil.example',
    '/%5cevil.example',
    '/%5Cevil.example',
  ],
  'what browsers strip': [
    '/\t/evil.example',
    '/\n/evil.example',
    '/\r/evil.example',
    '\t//evil.example',
    ' //evil.example',
  ],
  'spaces and controls': [
    '/a b',
    '/a\u0000',
    '/a\u001B',
    '/a\u007F',
    '/a\u0085',
    '/a\u2028b',
    '/\u00A0',
    '/a\r\nSet-Cookie: x',
  ],
  'dot segments': '/..//evil.example /.//evil.example /a/../b /a/.. /. /.. /..?x /a/./#x'.split(' '),
  'encoded dot segments': ['/%2e%2e//evil.example', '/.%2E//evil.example', '/%2e/evil', '/a/%2E%2e'],
  'our own address in full': ['https://portico.example/acme', 'https://portico.example@evil.example'],
  'what no page is called': '/ä/李 /a%20b /a//b /a/... /a.b /.well-known/x /robots.txt /North'.split(' '),
  'escaped controls': ['/acme%0d%0aset-cookie:x', '/%09/evil.example', '/acme?x=%0d%0ax', '/acme?x=1&y=%7F'],
  'what hides': ['/\u200b/evil.example', '/acme?\u202ex', '/acme?x=\ue000'],
  'what no address should be': [`/${'a'.repeat(2000)}`],
  'calls and files (F9)': [
    ...'/api /api/ /api?x /api/logout /api/auditlogs/export?format=csv /api/docs /API/x'.split(' '),
    ...'/%61pi/auditlogs/export /api%2fauditlogs /acme/../api/auditlogs/export'.split(' '),
    ...'/acme/%2e%2e/api/auditlogs/export /drive/profile /assets/area.js /outbox'.split(' '),
    ...'/metrics /healthz /readyz#x /dev/reload.js /dev/changes'.split(' '),
  ],
  'the way in itself': ['/login', '/login?x', '/login#x', '/login/', '/signup', '/signup?redirectpath=/acme'],
};

test.each(Object.entries(attacks).flatMap(([kind, paths]) => paths.map((path) => [kind, path] as const)))(
  '%s: %j is dropped (F1)',
  (_, path) => {
    expect(ownPageAt(path)).toBeUndefined();
  },
);

test('an empty path leads nowhere', () => {
  expect([undefined, null, ''].map(ownPageAt)).toEqual([undefined, undefined, undefined]);
});

test('every page except login and sign-up is accepted', () => {
  const pages = publicPages.filter((page) => page !== '/login' && page !== '/signup');
  for (const page of [...pages, ...rememberedSegments.map((segment) => `/northwind/${segment}`)])
    expect(ownPageAt(page)).toBe(page);
});

test('no organization can take the name of a path beside the pages', () => {
  expect(besidePages.split('|').filter(mayBeUrlName)).toEqual([]);
});

const pieces =
  `/ / \\ . .. ... %2f %2F %5c %2e %2E %00 %09 @ : ? # & = ; http: https: javascript: evil.example evil a api login ／ ＼ ․
  。 ä`.split(/\s+/);
const hostile = fc
  .array(fc.constantFrom(...pieces, '\t', '\n', '\r', ' ', '\0', '\u2028', '\u00A0', '\uFEFF'), {
    maxLength: 12,
  })
  .map((parts) => parts.join(''));
const origin = 'http://localhost:3000';

test('any accepted path keeps a browser on the origin (F1)', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        hostile,
        hostile.map((text) => `/${text}`),
        fc.webUrl(),
        fc.string(),
      ),
      (path) => {
        const next = ownPageAt(path);
        if (next === undefined) return;
        expect(next).toBe(path);
        for (const base of [origin, `${origin}/login?redirectpath=x`, `${origin}/a/b/`]) {
          const { href, pathname } = new URL(next, base);
          expect(new URL(href).origin).toBe(origin);
          // A reader may parse the result and follow its path again.
          expect(new URL(pathname, base).origin).toBe(origin);
          expect(decodeURIComponent(pathname)).not.toMatch(/^\/*(api|drive|outbox|metrics)(\/|$)/i);
        }
      },
    ),
    { numRuns: 3000 },
  );
});
