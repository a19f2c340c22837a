import { afterEach, expect, test, vi } from 'vitest';
import { whyNoAnswer, whyNotLoaded } from './cause.ts';

afterEach(() => vi.unstubAllGlobals());

test.each([
  [true, 'Something went wrong on our side. Try again.', 'Oops! Something went wrong'],
  [
    false,
    'You seem to be offline. Check your connection and try again.',
    'You seem to be offline. Check your connection and try again.',
  ],
])('with a connection: %s', (onLine, notLoaded, noAnswer) => {
  vi.stubGlobal('navigator', { onLine });
  expect(whyNotLoaded()).toBe(notLoaded);
  expect(whyNoAnswer()).toBe(noAnswer);
});
