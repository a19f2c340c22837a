import { afterEach, expect, test } from 'vitest';
import { isGuessable } from '#contract/accounts/guessable.ts';
import { PRODUCT_NAME } from './limits.ts';
import { productSlug } from './product-slug.ts';
import { product } from './product.ts';
import { applicationName } from '#contract/split-by-bytes/area-fields.ts';

afterEach(() => {
  product.name = PRODUCT_NAME;
});

test.each([
  [PRODUCT_NAME, 'portico'],
  ['Northwind ID', 'northwind-id'],
  ['Århus & Söhne!', 'arhus-sohne'],
  ['北風', 'portal'],
])('%s is %s in file names', (name, slug) => {
  product.name = name;
  expect(productSlug()).toBe(slug);
});

test("an application may bear the brand's name, which is no name of letters", () => {
  expect(applicationName.safeParse('Northwind ID').success).toBe(false);
  product.name = 'Northwind ID';
  expect(applicationName.safeParse(' Northwind ID ').success).toBe(true);
  expect(applicationName.safeParse('Northwind IDs').success).toBe(false);
});

test("a password of the brand's name is guessable, and one of ours stays so", () => {
  const nobody = { email: null, names: [] };
  expect(isGuessable('NorthwindID1', nobody)).toBe(false);
  product.name = 'Northwind ID';
  expect(['NorthwindID1', 'portico1'].map((password) => isGuessable(password, nobody))).toEqual([true, true]);
});
