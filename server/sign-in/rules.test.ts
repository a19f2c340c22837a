import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nextPath } from '#server/sign-in/rules.ts';

const kept = `/ /northwind /northwind/myprofile /northwind/organization/role/7 /onboarding?action=no_org /ä/李 /a%20b
  /northwind?x=1#part /invitation?digest=a-b_c /northwind/?to=https://a.example/../b /a?next=//b /a//b /a/... /a.b /.well
  /..a /apis /driver /loginx /northwind/login`;

test.each(kept.split(/\s+/))('%s is gone on to', (asked) => {
  expect(nextPath(asked)).toBe(asked);
});

const attacks: Record<string, string[]> = {
  'nothing asked': [''],
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
  'dot segments': [
    '/..//evil.example',
    '/.//evil.example',
    '/a/../b',
    '/a/..',
    '/.',
    '/..',
    '/..?x',
    '/a/./#x',
  ],
  'encoded dot segments': ['/%2e%2e//evil.example', '/.%2E//evil.example', '/%2e/evil', '/a/%2E%2e'],
  'calls, images and the way in itself': [
    '/api',
    '/api/logout',
    '/API/x',
    '/drive/profile',
    '/login',
    '/login?x',
    '/login#x',
    '/signup',
  ],
};

test.each(Object.entries(attacks).flatMap(([kind, paths]) => paths.map((asked) => [kind, asked] as const)))(
  '%s: %j is dropped (F1)',
  (_, asked) => {
    expect(nextPath(asked)).toBeUndefined();
  },
);

test('nothing asked, nothing to go on to', () => expect(nextPath(undefined)).toBeUndefined());

const pieces =
  `/ / \\ . .. ... %2f %2F %5c %2e %2E %00 %09 @ : ? # & = ; http: https: javascript: evil.example evil a api login ／ ＼ ․
  。 ä`.split(/\s+/);
const hostile = fc
  .array(fc.constantFrom(...pieces, '\t', '\n', '\r', ' ', '\0', '\u2028', '\u00A0', '\uFEFF'), {
    maxLength: 12,
  })
  .map((parts) => parts.join(''));
const origin = 'http://localhost:3000';

test('whatever is asked, a browser that follows the answer stays on the origin (F1)', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        hostile,
        hostile.map((text) => `/${text}`),
        fc.webUrl(),
        fc.string(),
      ),
      (asked) => {
        const next = nextPath(asked);
        if (next === undefined) return;
        expect(next).toBe(asked);
        for (const base of [origin, `${origin}/login?redirectpath=x`, `${origin}/a/b/`]) {
          const { href, pathname } = new URL(next, base);
          expect(new URL(href).origin).toBe(origin);
          // Once parsed it may be taken apart and followed again.
          expect(new URL(pathname, base).origin).toBe(origin);
          expect(pathname).not.toMatch(/^\/(api|drive)(\/|$)/i);
        }
      },
    ),
    { numRuns: 3000 },
  );
});
