import { describe, expect, it, test, vi } from 'vitest';
import { askedPath, asideTo, goTo, leaveFor, onwardTo } from './navigate.ts';

test.each([
  ['?redirectpath=%2Facme%2Fmyprofile', '/acme/myprofile'],
  ['?redirectpath=%2Facme&redirectpath=%2Fglobex', '/acme'],
  ['?redirectpath=%2F%2Fevil.example', undefined],
  ['?redirectpath=%2Fapi%2Fauditlogs%2Fexport%3Fformat%3Dcsv', undefined],
  ['', undefined],
])('the query %s names the page %s', (search, path) => {
  expect(askedPath(search)).toBe(path);
});

describe('carried queries', () => {
  const search =
    '?closeTab=true&redirect_url=https%3A%2F%2Fa.example%2F%3Fx%3D1&org=acme&redirectpath=%2Facme&other=1';

  it('landing gets only the names that it reads', () => {
    expect(onwardTo('/', search)).toBe(
      '/?closeTab=true&redirect_url=https%3A%2F%2Fa.example%2F%3Fx%3D1&org=acme',
    );
  });
  it('steps before sign-in also keep the path to return to', () => {
    expect(asideTo('/signup', '?redirectpath=%2Facme&source=zoho')).toBe(
      '/signup?source=zoho&redirectpath=%2Facme',
    );
  });
  it('an empty query adds no question mark', () => {
    expect(asideTo('/login', '?other=1')).toBe('/login');
  });
});

test('a page that is left opens no other page', () => {
  const location = { assign: vi.fn<() => void>(), replace: vi.fn<() => void>() };
  vi.stubGlobal('location', location);
  void leaveFor('/farewell', { replace: true });
  goTo('/login');
  vi.unstubAllGlobals();
  expect(location.replace).toHaveBeenCalledExactlyOnceWith('/farewell');
  expect(location.assign).not.toHaveBeenCalled();
});
