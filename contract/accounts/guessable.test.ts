import { describe, expect, test } from 'vitest';
import { isGuessable } from './guessable.ts';
import { PRODUCT_NAME } from '#contract/limits.ts';

const product = PRODUCT_NAME.toLowerCase();

describe('isGuessable', () => {
  const person = { email: 'jane.doe@northwind.example', names: ['Jané', 'van Doorn', 'Al'] };
  const guessable =
    `${product} ${PRODUCT_NAME} ${product.toUpperCase()}1 ${product}123 !!${product}!! 1${product}2 ${product}${product}
    ${product.replaceAll(/\B/g, '.')} janedoe Jane.Doe jane.doe.99 northwind northwind-1 NorthWind!23 jané JANÉ12 ｎｏｒｔｈｗｉｎｄ
    vandoorn van-Doorn-1`.split(/\s+/);
  test.each(guessable)('%s is', (password) => {
    expect(isGuessable(password, person)).toBe(true);
  });

  const fine =
    `${product}1234 my-${product}-door northwind-tidal janedoe2026 al12 al-al-al-al example correct-horse 12345678
    tidal-lantern ???????? 🙂🙂🙂🙂🙂🙂🙂🙂`.split(/\s+/);
  test.each([...fine, ''])('%j is not', (password) => {
    expect(isGuessable(password, person)).toBe(false);
  });

  test('without address and names only the product’s name counts', () => {
    const nobody = { email: null, names: [] };
    expect(
      [`${product}12`, 'jane.doe', '', 'northwind'].map((password) => isGuessable(password, nobody)),
    ).toEqual([true, false, false, false]);
  });
});
