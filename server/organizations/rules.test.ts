import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PRODUCT_NAME } from '#contract/limits.ts';
import { mayBeUrlName } from '#contract/pages.ts';
import { product } from '#contract/product.ts';
import { inLanguage } from '#server/language.ts';
import { defaultName, urlNameCandidates, urlNameOf } from './rules.ts';

test.each([
  ['Acme', 'acme'],
  ['Ac\u200Cme', 'acme'],
  ['My Company 24', 'my-company-24'],
  ['  -- Acme --  Works -- ', 'acme-works'],
  ['Müller & Söhne', 'muller-sohne'],
  ['Crème Brûlée', 'creme-brulee'],
  ['Straße', 'strasse'],
  ['GROẞ', 'gross'],
  ['Łódź', 'lodz'],
  ['Øre Ærø', 'ore-aero'],
  ['Œuvre', 'oeuvre'],
  ['Đorđe', 'dorde'],
  ['Þór', 'thor'],
  ['İstanbul Isı', 'istanbul-isi'],
  ['Ｆｕｌｌ ｗｉｄｔｈ', 'full-width'],
  ['ﬁne', 'fine'],
  ['ℳetrics', 'metrics-org'],
  ['ℳeadow', 'meadow'],
  ['𝔸𝕔𝕞𝕖 Ⓦⓞⓡⓚⓢ', 'acme-works'],
  ['ＡＣＭＥ', 'acme'],
  ['№ Ⅷ', 'no-viii'],
  ['㎅ ℌouse', 'kb-house'],
  ['Acme 日本', 'acme'],
  ['Acme\u00A0Works', 'acme-works'],
  ['3M', 'm-org'],
  ['123 Main', 'main'],
  ['24/7 c12', 'c12-org'],
  ['c12', 'c12-org'],
  ['C007', 'c007-org'],
  ['c 12', 'c-12'],
  ['K', 'k-org'],
  ['Admin', 'admin-org'],
  ['API', 'api-org'],
  ['myprofile', 'myprofile-org'],
  ['Login', 'login-org'],
  ['a'.repeat(100), 'a'.repeat(40)],
  [`${'a'.repeat(39)} b`, 'a'.repeat(39)],
  ["<b>O'Neil</b>", 'boneilb'],
])('the URL name of %j is %s', (name, urlName) => {
  expect(urlNameOf(name)).toBe(urlName);
});

test.each(['', '   ', '---', '123', '24-7', '日本', 'Компания', 'شركة', '🙂', '../..'])(
  '%j has no readable URL name',
  (name) => {
    expect(urlNameOf(name)).toBeUndefined();
  },
);

test("the brand's name is no URL name, but one with a suffix is", () => {
  product.name = 'Northwind ID';
  expect(urlNameOf('Northwind-ID')).toBe('northwind-id-org');
  product.name = PRODUCT_NAME;
  expect(urlNameOf('Northwind-ID')).toBe('northwind-id');
});

const first = (count: number, name: string, random: () => string) => {
  const names = urlNameCandidates(name, random);
  return Array.from({ length: count }, () => names.next().value as string);
};

describe('candidates', () => {
  const numbers = () => {
    let number = 0;
    return () => `r${(number += 1)}`;
  };

  test('are the plain name, then numbered names, then endless ones with random letters', () => {
    expect(first(8, 'Acme', numbers())).toEqual([
      'acme',
      'acme-2',
      'acme-3',
      'acme-4',
      'acme-5',
      'acme-r1',
      'acme-r2',
      'acme-r3',
    ]);
  });

  test('have random letters from the start if the name has no readable form', () => {
    expect(first(2, '日本', numbers())).toEqual(['org-r1', 'org-r2']);
  });

  test('are all allowed as URL names, whatever the organization is called', () => {
    const letters = fc.string({
      unit: fc.constantFrom(...'a b c C 0 1 9 - _ . ß æ Đ İ ı 李 🙂 \u0301'.split(' '), ' '),
      maxLength: 80,
    });
    const reserved = fc.constantFrom('login', 'api', 'c12', 'www', 'admin', 'undefined', 'next');
    fc.assert(
      fc.property(fc.oneof(letters, reserved, fc.string({ unit: 'grapheme' })), (name) => {
        const names = first(7, name, () => 'a1b2c3');
        expect(names.filter((candidate) => !mayBeUrlName(candidate))).toEqual([]);
      }),
    );
  });
});

test.each([
  ['en', 'Ann', 'Ann Organization', 'ann-organization'],
  ['de', 'Ann', 'Organisation von Ann', 'organisation-von-ann'],
  ['ja', '愛子', '愛子の組織', 'org-7'],
  ['ar', 'Ann', 'مؤسسة Ann', 'ann'],
])(
  'in %s an organization without a name is called after its founder %s: %s',
  (language, first, name, urlName) => {
    const called = inLanguage(language, () => defaultName(first));
    expect(called).toBe(name);
    expect(urlNameCandidates(called, () => '7').next().value).toBe(urlName);
  },
);
