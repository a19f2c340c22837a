import { expect, test } from 'vitest';
import { errandIn } from './errand.ts';

test.each([
  ['1001 ?redirect_url=https%3A%2F%2Fsign.example%2F', '?redirect_url=https%3A%2F%2Fsign.example%2F'],
  ['1001 ', ''],
  ['1000 ?source=zoho', ''],
  ['?source=zoho', ''],
  ['soon ?source=zoho', ''],
  ['', ''],
  [null, ''],
])('at 1000 ms the stored text %o gives %o', (text, search) => {
  expect(errandIn(text, 1000)).toBe(search);
});
