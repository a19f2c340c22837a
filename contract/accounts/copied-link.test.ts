import { expect, test } from 'vitest';
import { digestIn } from './copied-link.ts';

const DIGEST = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLM_0-9';

test.each(['', '.', ')', '>', ' ', '\u00A0', '%20', '&gt;', '_', '*', '”', '.)\n'])(
  'the end that a copied link brings along is cut off: %j',
  (end) => {
    expect(digestIn(`${DIGEST}${end}`)).toBe(DIGEST);
  },
);

test.each([
  undefined,
  null,
  '',
  'abc',
  DIGEST.slice(1),
  `${DIGEST.slice(0, 20)} ${DIGEST.slice(20)}`,
  `<${DIGEST}`,
])('a link is not complete with %j', (copied) => {
  expect(digestIn(copied)).toBeUndefined();
});
