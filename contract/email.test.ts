import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { email } from './fields.ts';
import { fieldText } from '#words/field.ts';

const atDomain = (characters: number) => `a@${'b'.repeat(characters - 5)}.co`;

const acceptedAddresses: [typed: string, stored?: string][] = [
  ['ann@example.com'],
  ['Ann@Example.COM'],
  ['a@b.co'],
  ['first.last+tag@mail.example.co.uk'],
  ["o'neil@example.com"],
  ['!#$%&*/=?^_`{|}~-@example.com'],
  ['1@2.example'],
  ['ann@münchen.de'],
  ['ann@उदाहरण.भारत'],
  ['ann@пример.рф'],
  ['ann@ｅｘａｍｐｌｅ.com', 'ann@example.com'],
  ['ａnn＠example．com', 'ann@example.com'],
  ['ann﹫example.com', 'ann@example.com'],
  // Pasted from contacts, chats and web pages.
  ['\u202Aann@example.com\u202C', 'ann@example.com'],
  ['\u200Bann@example.com\uFEFF', 'ann@example.com'],
  ['\u00A0ann@example.com\u3000', 'ann@example.com'],
  ['an\u200Bn@exam\u00ADple.com', 'ann@example.com'],
  ['ann@exa\u202Emple.com', 'ann@example.com'],
  ['ann@my\u2011example.com', 'ann@my-example.com'],
  ['ann\u2013lee@example.com', 'ann-lee@example.com'],
  ['ann@xn--mnchen-3ya.xn--p1ai'],
  ['  ann@example.com\n', 'ann@example.com'],
  ['ann@mu\u0308nchen.de', 'ann@münchen.de'],
  ['Ann <ann@example.com>', 'ann@example.com'],
  ['"Lee, Ann" <ann@example.com>', 'ann@example.com'],
  ['<ann@example.com>', 'ann@example.com'],
  ['mailto:ann@example.com', 'ann@example.com'],
  ['Mailto:ann@example.com?subject=Hello', 'ann@example.com'],
  ['Ann <mailto:ann@example.com>', 'ann@example.com'],
  // The Kelvin sign composes to K, so the stored address has the plain letter.
  ['\u212Aim@example.com', 'Kim@example.com'],
  [atDomain(254)],
];

const refused: Record<string, string[]> = {
  'no address': 'ann ann@ @example.com @ ann.example.com ann@@example.com a@b@example.com'.split(' '),
  'no dotted domain': ['ann@localhost', 'ann@example.', 'ann@.com', 'ann@example..com', 'ann@example.com.'],
  'a domain that is none': ['ann@-a.com', 'ann@a-.com', 'ann@a_b.com', 'ann@a.c', 'ann@a.1c', 'ann@a.c-'],
  'an IP address': ['ann@127.0.0.1', 'ann@[127.0.0.1]', 'ann@[IPv6:::1]', 'ann@1'],
  'a port or path': ['ann@example.com:25', 'ann@example.com/x', 'ann@example.com?x', 'ann@example.com#x'],
  'a list': ['a@b.co,c@d.co', 'a@b.co, c@d.co', 'a@b.co;c@d.co', 'a@b.co c@d.co'],
  'a misleading display name (A6)': [
    'ann@example.com (Ann)',
    'boss@example.com <ann@example.com>',
    'Ann <ann@example.com> <leo@example.com>',
    'Ann <ann@example.com>, Leo <leo@example.com>',
    'Lee, Ann <ann@example.com>',
  ],
  'an escaped or listed mailto address (A6)': [
    'mailto:ann%2Btag@example.com',
    'mailto:ann@example.com,leo@example.com',
    'mailto:mailto:ann@example.com',
  ],
  quotes: ['"ann"@example.com', '"a@evil.example x"@example.com', '"a b"@example.com', 'a\\@b@example.com'],
  'stray dots': ['.ann@example.com', 'ann.@example.com', 'an..n@example.com'],
  spaces: [
    'an n@example.com',
    'ann@exam ple.com',
    'ann @example.com',
    'ann@ example.com',
    'a\u00A0b@example.com',
    'a\u3000b@example.com',
  ],
  'control characters': ['ann@example.com\r\nBcc: x@y.zz', 'an\u0000n@example.com', 'ann@example.com\u0000'],
  'another dot': ['ann@example。com'],
  'a local part beyond ASCII': ['añn@example.com', '李@example.com', '🙂@example.com', 'ı@example.com'],
  'more than 254 characters': [atDomain(255), `${'a'.repeat(250)}@b.co`],
};

test.for(acceptedAddresses)('takes %j', ([typed, stored = typed]) => {
  expect(z.decode(email, typed)).toBe(stored);
});

describe.for(Object.entries(refused))('refuses %s', ([, rows]) => {
  test.for(rows)('%j', (typed) => {
    expect(z.safeDecode(email, typed).error?.issues[0]?.message).toBe(fieldText.email);
  });
});

test.for([
  ['', fieldText.required],
  [' ', fieldText.required],
  [undefined, fieldText.required],
  [null, fieldText.wrongType],
  [['ann@example.com'], fieldText.wrongType],
])('%j gets the message: %s', ([typed, message]) => {
  expect(z.safeDecode(email, typed as never).error?.issues[0]?.message).toBe(message);
});
