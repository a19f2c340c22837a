import fc from 'fast-check';
import { expect, test } from 'vitest';
import { plain } from './field-parts.ts';

test.for<[typed: string, plain: string]>([
  ['', ''],
  ['ann@example.com', 'ann@example.com'],
  ['\u202D+49\u00A030\u00A0123\u2011456\u202C', '+49 30 123-456'],
  ['a\u200Bb\u200D\u2060\u00ADc\uFE0F\u3164', 'abc'],
  ['1\u20102\u20113\u20124\u20135\u20146\u20157\u22128－9﹣0', '1-2-3-4-5-6-7-8-9-0'],
  ['1\u00A02\u20093\u202F4\u30005\t6', '1 2 3 4 5 6'],
  ['０９ａＺ＠．＋', '09aZ@.+'],
  // Without the hidden character, the letter and its accent compose.
  ['e\u200B\u0301', 'é'],
  // Line breaks stay.
  ['\n1\n2\n', '1\n2'],
])('%j is %j', ([typed, text]) => {
  expect(plain(typed)).toBe(text);
});

test('the plain form of a plain form is itself', () => {
  const texts = fc.string({ unit: 'binary' });
  fc.assert(
    fc.property(texts, (text) => {
      expect(plain(plain(text))).toBe(plain(text));
    }),
  );
});
