import { describe, expect, test } from 'vitest';
import { isGuessable } from '#contract/guessable.ts';

describe('isGuessable', () => {
  const person = { email: 'jane.doe@northwind.example', names: ['Jané', 'van Doorn', 'Al'] };
  const guessable =
    `portico Portico PORTICO1 portico123 !!portico!! 1portico2 ｐｏｒｔｉｃｏ porticoportico janedoe Jane.Doe
    jane.doe.99 northwind northwind-1 NorthWind!23 jané JANÉ12 vandoorn van-Doorn-1 p.o.r.t.i.c.o`.split(
      /\s+/,
    );
  test.each(guessable)('%s is', (password) => {
    expect(isGuessable(password, person)).toBe(true);
  });

  const fine =
    `portico1234 my-portico-door northwind-tidal janedoe2026 al12 al-al-al-al example correct-horse 12345678
    tidal-lantern ???????? 🙂🙂🙂🙂🙂🙂🙂🙂`.split(/\s+/);
  test.each([...fine, ''])('%j is not', (password) => {
    expect(isGuessable(password, person)).toBe(false);
  });

  test('without address and names only the portal’s own word counts', () => {
    const nobody = { email: null, names: [] };
    expect(
      ['portico12', 'jane.doe', '', 'northwind'].map((password) => isGuessable(password, nobody)),
    ).toEqual([true, false, false, false]);
  });
});
