import { describe, expect, it } from 'vitest';
import { asideTo, onwardTo, ownPath } from '#web/lib/navigate.ts';

const origin = 'https://portico.example';

describe('ownPath', () => {
  it.each([
    ['a path', '/acme/myprofile', '/acme/myprofile'],
    ['a query and a fragment', '/acme?tab=2&q=a%20b#top', '/acme?tab=2&q=a%20b#top'],
    ['an address inside the query', '/go?to=https://evil.example//x', '/go?to=https://evil.example//x'],
    ['dots that stay inside', '/acme/../globex', '/globex'],
    ['the root', '/', '/'],
    ['letters of any script', '/größe', '/gr%C3%B6%C3%9Fe'],
  ])('lets through %s', (_name, value, path) => {
    expect(ownPath(value, origin)).toBe(path);
  });

  it.each([
    ['nothing', null],
    ['an empty value', ''],
    ['a relative path', 'acme'],
    ['a protocol-relative host', '//evil.example'],
    ['three slashes', '///evil.example'],
    ['a backslash', '/\\evil.example'],
    ['two backslashes', '\\\\evil.example'],
    ['a backslash further on', '/acme/\\evil.example'],
    ['an escaped backslash', '/%5cevil.example'],
    ['an escaped backslash in capitals', '/%5Cevil.example'],
    ['an escaped slash', '/%2fevil.example'],
    ['a dot before the slashes', '/.//evil.example'],
    ['two dots before the slashes', '/acme/..//evil.example'],
    ['escaped dots before the slashes', '/%2e%2e//evil.example'],
    ['a script', 'javascript:alert(1)'],
    ['a script after a slash and a break', '/\njavascript:alert(1)'],
    ['data', 'data:text/html,x'],
    ['an absolute address', 'http://evil.example/'],
    ['our own absolute address', 'https://portico.example/acme'],
    ['a host behind our name', 'https://portico.example@evil.example'],
    ['a tab between slashes', '/\t/evil.example'],
    ['a line break between slashes', '/\n/evil.example'],
    ['a carriage return between slashes', '/\r/evil.example'],
    ['a null between slashes', '/\u0000/evil.example'],
    ['an escaped tab', '/%09/evil.example'],
    ['an escaped line break', '/acme%0d%0aset-cookie:x'],
    ['a leading space', ' //evil.example'],
    ['a space', '/acme evil'],
    ['a zero-width space', '/\u200b/evil.example'],
    ['a line separator', '/\u2028/evil.example'],
    ['what no address should be', `/${'a'.repeat(2000)}`],
  ])('refuses %s', (_name, value) => {
    expect(ownPath(value, origin)).toBeUndefined();
  });

  it('never leaves the origin, whatever a browser makes of it', () => {
    const pieces = ['/', '\\', '.', '%2f', '%5c', '\t', '@', ':', 'evil.example', 'javascript:'];
    const pairs = pieces.flatMap((a) => pieces.map((b) => a + b));
    const paths = pairs.flatMap((pair) => pieces.map((c) => ownPath(`/${pair}${c}`, origin)));
    const origins = paths.map((path) => new URL(path ?? '/', origin).origin);
    expect(new Set(origins)).toEqual(new Set([origin]));
  });
});

describe('what is carried on', () => {
  const search =
    '?closeTab=true&redirect_url=https%3A%2F%2Fa.example%2F%3Fx%3D1&org=acme&redirectpath=%2Facme&other=1';

  it('lands with the names that landing reads, and no others', () => {
    expect(onwardTo('/', search)).toBe(
      '/?closeTab=true&redirect_url=https%3A%2F%2Fa.example%2F%3Fx%3D1&org=acme',
    );
  });
  it('keeps the path to go back to between the steps before signing in', () => {
    expect(asideTo('/signup', '?redirectpath=%2Facme&source=zoho')).toBe(
      '/signup?source=zoho&redirectpath=%2Facme',
    );
  });
  it('adds no question mark for nothing', () => {
    expect(asideTo('/login', '?other=1')).toBe('/login');
  });
});
