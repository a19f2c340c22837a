import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import * as areaFields from '#contract/area-fields.ts';
import * as entranceFields from '#contract/fields.ts';
import * as mailedFields from '#contract/mailed-fields.ts';
import { areaFieldText as areaSays } from '#contract/text/area-fields.ts';
import { fieldText as says } from '#contract/text/fields.ts';

const fields: Record<string, z.core.$ZodType> = { ...entranceFields, ...mailedFields, ...areaFields };

type Row = [input: unknown, output: unknown];
type Table = { takes: Row[]; refuses: Row[] };

/** What a field makes of a value, or the first message, which is the one a form shows. */
function outcome(field: z.core.$ZodType, input: unknown) {
  const result = z.safeDecode(field, input);
  return result.success ? { takes: result.data } : { says: result.error.issues[0]?.message };
}

const same = (...values: unknown[]): Row[] => values.map((value) => [value, value]);
const all = (message: string, ...values: unknown[]): Row[] => values.map((value) => [value, message]);
const notText = all(says.wrongType, null, 5, true, [], {});
const missing: Row = [undefined, says.required];
const empty = all(says.required, '', '   ', '\t\n');
const unsafe = [
  ...all(areaSays.generalText, 'a"b', 'a<b', 'a>b', "O'Neil"),
  ...all(
    areaSays.hidden,
    'a\r\nBcc: x',
    'A\u202EB',
    'a\u2066b',
    'a\u200Bb',
    'a\nb',
    'a\u2028b',
    'a\u0000b',
    'a\u007Fb',
    ...Array.from('\u2800\u115F\u1160\u3164\uFFA0\u17B4', (blank) => `a${blank}b`),
  ),
];
/** What looks empty is. */
const blank = all(says.required, '\u200D', '\u2800', '\u3164\uFE0F', ' \u115F ');
const tooLong = (max: number): Row => ['a'.repeat(max + 1), `Please use at most ${max} characters.`];

const plain = (max: number): Table => ({
  takes: [
    ...same('Ann', 'Zoë', '李', 'Jean-Luc', 'x & y', 'a\\b', '`', '🙂', 'a'.repeat(max)),
    ['  Ann  ', 'Ann'],
    [`${'a'.repeat(max)} `, 'a'.repeat(max)],
    ['Zoe\u0308', 'Zoë'],
  ],
  refuses: [
    missing,
    ...notText,
    ...unsafe,
    tooLong(max),
    ['a'.repeat(2001), 'Please use at most 2000 characters.'],
  ],
});
const required = (table: Table): Table => ({ ...table, refuses: [...table.refuses, ...empty, ...blank] });
const optional = ({ takes, refuses }: Table): Table => ({ takes: [...takes, ['', ''], ['  ', '']], refuses });

const employeeCount: Table = {
  takes: [...same(1, 2, 99_999, 100_000), ['1', 1], ['100000', 100_000], [' 7 ', 7], ['007', 7]],
  refuses: [
    ...all(areaSays.employeeCountZero, 0, -1, '0', '-1', '000', Number.MIN_SAFE_INTEGER),
    ...all('Please enter at most 100000.', 100_001, '100001', 2 ** 53, '9'.repeat(30)),
    ...all(areaSays.employeeCountDigits, 1.5, '1.5', '1,5', 'many', '1e3', '0x10', '+5', '1 000', '--1'),
    ...all(areaSays.employeeCountDigits, '１２', '١٢', null, true, {}, Number.NaN, Number.POSITIVE_INFINITY),
    ...empty,
  ],
};

const aPassword: Row[] = same(
  'a'.repeat(128),
  '🙂'.repeat(128),
  '        ',
  '"\'<>"\'<>',
  '\u0000'.repeat(8),
);
const longPassword = all(
  'Please use at most 128 characters.',
  'a'.repeat(129),
  '🙂'.repeat(129),
  'a'.repeat(60_000),
);

const digits: Row[] = same('1', '0', '+49 30 123-456', '- 1', '1'.repeat(30));
const noPhone = all(
  areaSays.phone,
  '+',
  '-',
  '+ -',
  '(030) 1',
  '1/2',
  '030.1',
  '١٢٣',
  '１２３',
  'call 1',
  '1\n2',
  '1x',
);
const phone: Table = { takes: [...digits, [' 1 ', '1']], refuses: [missing, ...notText, ...noPhone] };
const longPhone: Row = ['1'.repeat(31), 'Please use at most 30 characters.'];

const letters: Row[] = same('Acme', 'Ärzte', 'नमस्ते', '李', 'a'.repeat(8));
const twoWords: Row[] = [...same('Acme Works'), [' Acme ', 'Acme'], ['Cafe\u0301', 'Café']];

const tables: Record<string, Table> = {
  generalText: optional(plain(500)),
  requiredText: required(plain(500)),
  firstName: required(plain(80)),
  lastName: optional(plain(80)),
  designation: optional(plain(80)),
  roleName: required(plain(80)),
  newOrganizationName: {
    takes: [...letters, ...twoWords, ...same('Acme 24', '24', '2a 3b', '', 'a'.repeat(80))],
    refuses: [
      missing,
      ...notText,
      ...all(
        areaSays.organizationWords,
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
    takes: [...letters, ...twoWords, ...same('a'.repeat(80))],
    refuses: [
      missing,
      ...notText,
      ...empty,
      ...all(
        areaSays.lettersOnly,
        'Acme 24',
        '24',
        'Acme  Works',
        'A-B',
        'A.B',
        "A's",
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
    takes: [...same('x', ' ', '1234567'), ...aPassword],
    refuses: [missing, ...notText, ['', says.required], ...longPassword],
  },
  phone: { ...phone, refuses: [...phone.refuses, ...empty, longPhone] },
  optionalPhone: optional({ ...phone, refuses: [...phone.refuses, longPhone] }),
  amount: {
    takes: [...same('0', '1', '1.5', '1.25', '999999999999.99'), [' 2 ', '2']],
    refuses: [
      missing,
      ...notText,
      ...empty,
      ...all(
        areaSays.amount,
        '1.234',
        '1.',
        '.5',
        '1,5',
        '-1',
        '+1',
        '1e3',
        '1 000',
        '１',
        '1.2.3',
        '1'.repeat(13),
      ),
    ],
  },
  otp: {
    takes: [
      ...same('123456', '000000'),
      ['123 456', '123456'],
      ['12-34-56', '123456'],
      [' 1 2 3 4 5 6 ', '123456'],
    ],
    refuses: [
      missing,
      ...notText,
      ...all(
        'Please enter the 6 digits of the code.',
        '',
        '12345',
        '1234567',
        '12345a',
        '１２３４５６',
        '+12345',
        '1.2345',
      ),
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
  redirectPath: {
    takes: same('', '/a', 'https://elsewhere.example', 'a'.repeat(2000)),
    refuses: [missing, ...notText, ['a'.repeat(2001), says.wrongType]],
  },
  redirectUrl: {
    takes: same('', 'https://sign.example/#/x', 'javascript:alert(1)', 'a'.repeat(2000)),
    refuses: [missing, ...notText, ['a'.repeat(2001), says.wrongType]],
  },
};

const shown = (value: unknown) => (JSON.stringify(value) ?? 'undefined').slice(0, 60);

describe.each(Object.entries(tables))('%s', (name, { takes, refuses }) => {
  const field = fields[name] ?? z.never();

  test.for(takes.map((row) => [shown(row[0]), ...row] as const))('takes %s', ([, input, output]) => {
    expect(outcome(field, input)).toEqual({ takes: output });
  });
  test.for(refuses.map((row) => [shown(row[0]), ...row] as const))('refuses %s', ([, input, message]) => {
    expect(outcome(field, input)).toEqual({ says: message });
  });
});

test('every field has its table, here or in the tests named after it', () => {
  expect(Object.keys(fields).toSorted()).toEqual(
    [...Object.keys(tables), 'email', 'link', 'website'].toSorted(),
  );
});
