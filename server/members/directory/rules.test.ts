import { expect, test } from 'vitest';
import { closeCursor, openCursor } from './rules.ts';

test.each([
  { key: 'éva  lindqvist 12', id: 7 },
  { key: '', id: 1 },
  { key: '東京', id: 999_999_999_999_999 },
])('%o survives encoding and decoding', (cursor) => {
  const text = closeCursor(cursor);
  expect(text).toMatch(/^[\w-]+$/);
  expect(openCursor(text, 'name')).toEqual(cursor);
});

test('the key of a status must be one of the four', () => {
  expect(openCursor(closeCursor({ key: '4', id: 1 }), 'status')).toEqual({ key: '4', id: 1 });
  for (const key of ['0', '5', '22', 'a', ''])
    expect(openCursor(closeCursor({ key, id: 1 }), 'status')).toBeUndefined();
});

const sealed = (text: string) => Buffer.from(text).toString('base64url');
test.each([
  ...'|7|7x|0 a|-1 a|1.5 a|01 a| 7 a'.split('|'),
  `${'9'.repeat(16)} a`,
  '7 a\u0000',
  '7 a\nb',
  '７ a',
])('%j is not a cursor', (text) => expect(openCursor(sealed(text), 'name')).toBeUndefined());
test.each(['', 'x', 'AAAA', '_-_-'])('%j is not encoded like a cursor', (text) =>
  expect(openCursor(text, undefined)).toBeUndefined(),
);
