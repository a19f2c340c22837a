import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import * as areaFields from '#contract/split-by-bytes/area-fields.ts';
import * as entranceFields from './fields.ts';
import * as mailedFields from '#contract/split-by-bytes/mailed-fields.ts';
import { areaFieldText as areaSays } from '#words/area-field.ts';
import { fieldText as says } from '#words/field.ts';
import {
  aPassword,
  all,
  employeeCount,
  empty,
  letters,
  longPassword,
  longPhone,
  missing,
  notText,
  optional,
  phone,
  plain,
  requiredTable,
  same,
  tooLong,
  twoWords,
  type Table,
} from '#server/testing/field-rows.ts';

const fields: Record<string, z.core.$ZodType> = {
  ...entranceFields,
  ...mailedFields,
  ...areaFields,
};

/** The decoded value, or the first message, which is the one a form shows. */
function outcome(field: z.core.$ZodType, input: unknown) {
  const result = z.safeDecode(field, input);
  return result.success ? { takes: result.data } : { says: result.error.issues[0]?.message };
}

/** Persian, Sinhala and Marathi names with the joiners that they need. */
const joined = ['می\u200Cخواهم', 'ශ්\u200Dරී ලංකා', 'र्\u200Dयाद'];
const looseJoiners = ['\u200CAcme', 'Acme\u200D', 'Ac\u200C\u200Dme', 'Ac \u200Cme'];

const tables: Record<string, Table> = {
  generalText: optional(plain(500)),
  requiredText: requiredTable(plain(500)),
  firstName: requiredTable(plain(80)),
  lastName: optional(plain(80)),
  designation: optional(plain(80)),
  roleName: requiredTable(plain(80)),
  newOrganizationName: {
    takes: [...letters, ...twoWords, ...same(...joined, 'Acme 24', '24', '2a 3b', '', 'a'.repeat(80))],
    refuses: [
      missing,
      ...notText,
      ...all(
        areaSays.organizationWords,
        ...looseJoiners,
        'Acme  Works',
        'Acme-Works',
        'Acme, Inc.',
        'A&B',
        'A\tB',
        "A's",
        'A\u00A0B',
        '🙂',
      ),
      ...all(areaSays.hidden, 'Ac\u3164me', 'A\u115F'),
      tooLong(80),
    ],
  },
  organizationName: {
    takes: [...letters, ...twoWords, ...same(...joined, 'a'.repeat(80))],
    refuses: [
      missing,
      ...notText,
      ...empty,
      ...all(
        areaSays.lettersOnly,
        ...looseJoiners,
        ..."Acme 24|24|Acme  Works|A-B|A.B|A's".split('|'),
        'A\tB',
        '<b>',
        '²',
        'Ⅷ',
        '🙂',
      ),
      ...all(areaSays.hidden, 'Ac\u3164me', 'A\u115F'),
      tooLong(80),
    ],
  },
  applicationName: {
    takes: [...letters, [' Sign ', 'Sign'], ['a'.repeat(7), 'a'.repeat(7)]],
    refuses: [
      missing,
      ...notText,
      ...empty,
      ...all(areaSays.lettersOnly, 'A B', 'Sign2', 'A-B', "A'B", '<b>', 'A\nB', '🙂'),
      ...all(areaSays.hidden, 'Si\u3164gn'),
      ['a'.repeat(9), 'Please use at most 8 letters.'],
    ],
  },
  employeeCount,
  newPassword: {
    takes: [...same('12345678', '🙂'.repeat(8), ' lead and trail ', 'cafe\u0301-cafe\u0301'), ...aPassword],
    refuses: [
      missing,
      ...notText,
      ['', says.required],
      ...all(
        'Please use at least 8 characters.',
        '1234567',
        '🙂'.repeat(7),
        ' ',
        'e\u0301'.repeat(7),
        '\u200B'.repeat(8),
      ),
      ...longPassword,
    ],
  },
  currentPassword: {
    // Hidden characters count, so that passwords chosen under older rules still work.
    takes: [...same('12345678', '🙂'.repeat(8), '\u200B'.repeat(8)), ...aPassword],
    refuses: [
      missing,
      ...notText,
      ['', says.required],
      ...all('Please use at least 8 characters.', '1234567', 'x', ' ', '🙂'.repeat(7), 'e\u0301'.repeat(7)),
      ...longPassword,
    ],
  },
  phone: { ...phone, refuses: [...phone.refuses, ...empty, longPhone] },
  optionalPhone: optional({ ...phone, refuses: [...phone.refuses, longPhone] }),
  otp: {
    takes: [
      ...same('123456', '000000'),
      ['123 456', '123456'],
      ['12-34-56', '123456'],
      [' 1 2 3 4 5 6 ', '123456'],
      ['１２３４５６', '123456'],
      ['\u202A123\u2011456\u202C', '123456'],
      ['123\u00A0456\u200B', '123456'],
      ['١٢٣٤٥٦', '123456'],
    ],
    refuses: [
      missing,
      ...notText,
      ...all('Please enter the 6 digits of the code.', '', '12345', '1234567', '12345a', '+12345', '1.2345'),
    ],
  },
  search: {
    takes: [
      ...same('', 'Ann', 'Jean\u2013Luc', 'o"neil <x', '\u0645\u06CC\u200C\u062E', 'a'.repeat(254)),
      ['\u202A\u00A0Ann\u200B\u3000Lee\u202C', 'Ann Lee'],
      ['\u202Aann＠my\u2011example.com\u202C', 'ann@my-example.com'],
      ['Ａｎｎ', 'Ann'],
      // Search keys treat the two hyphens as equal, because NFKD does.
      ['Jean\u2011Luc', 'Jean\u2010Luc'],
    ],
    refuses: [
      missing,
      ...notText,
      ...all(says.wrongType, 'a\u0000b', 'a\nb'),
      ['a'.repeat(255), 'Please use at most 254 characters.'],
    ],
  },
  browserTimeZone: {
    takes: same(
      '',
      'Europe/Berlin',
      'America/Port-au-Prince',
      'Etc/GMT+5',
      'America/Argentina/La_Rioja',
      'a'.repeat(64),
    ),
    refuses: [
      missing,
      ...notText,
      ...all(says.wrongType, 'a'.repeat(65), 'Europe Berlin', '<b>', '..', 'Zürich', 'a\n'),
    ],
  },
  digest: {
    takes: same('a', 'AZaz09-_', 'a'.repeat(128)),
    refuses: [
      missing,
      ...notText,
      ...all(says.wrongType, '', 'a'.repeat(129), 'a+b', 'a/b', 'a=', 'a b', 'é'),
    ],
  },
  language: {
    takes: same('en', 'pt-BR'),
    refuses: [missing, ...notText, ...all(areaSays.language, '', 'english', 'EN', 'en_GB')],
  },
  redirectPath: {
    takes: same('', '/a', 'https://elsewhere.example', 'a'.repeat(2000)),
    refuses: [missing, ...notText, ['a'.repeat(2001), says.wrongType]],
  },
  redirectUrl: {
    takes: same('', 'https://sign.example/#/x', 'javascript:alert(1)', 'a'.repeat(2000)),
    refuses: [missing, ...notText, ['a'.repeat(2001), says.wrongType]],
  },
};

const excerpt = (value: unknown) => (JSON.stringify(value) ?? 'undefined').slice(0, 60);

describe.each(Object.entries(tables))('%s', (name, { takes, refuses }) => {
  const field = fields[name] ?? z.never();

  test.for(takes.map((row) => [excerpt(row[0]), ...row] as const))('takes %s', ([, input, output]) => {
    expect(outcome(field, input)).toEqual({ takes: output });
  });
  test.for(refuses.map((row) => [excerpt(row[0]), ...row] as const))('refuses %s', ([, input, message]) => {
    expect(outcome(field, input)).toEqual({ says: message });
  });
});

test('every field has a table, here or in a test of its own', () => {
  expect(Object.keys(fields).toSorted()).toEqual([...Object.keys(tables), 'email', 'website'].toSorted());
});
