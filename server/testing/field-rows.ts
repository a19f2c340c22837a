import { areaFieldText as areaSays } from '#words/area-field.ts';
import { fieldText as says } from '#words/field.ts';

// Rows that several tables of field tests share.

export type Row = [input: unknown, output: unknown];
export type Table = { takes: Row[]; refuses: Row[] };

export const same = (...values: unknown[]): Row[] => values.map((value) => [value, value]);
export const all = (message: string, ...values: unknown[]): Row[] => values.map((value) => [value, message]);
export const notText = all(says.wrongType, null, 5, true, [], {});
export const missing: Row = [undefined, says.required];
export const empty = all(says.required, '', '   ', '\t\n');
export const unsafe = [
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
export const blank = all(says.required, '\u200D', '\u2800', '\u3164\uFE0F', ' \u115F ');
export const tooLong = (max: number): Row => ['a'.repeat(max + 1), `Please use at most ${max} characters.`];

export const plain = (max: number): Table => ({
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
export const requiredTable = (table: Table): Table => ({
  ...table,
  refuses: [...table.refuses, ...empty, ...blank],
});
export const optional = ({ takes, refuses }: Table): Table => ({
  takes: [...takes, ['', ''], ['  ', '']],
  refuses,
});

export const employeeCount: Table = {
  takes: [
    ...same(1, 2, 99_999, 100_000),
    ['1', 1],
    ['100000', 100_000],
    [' 7 ', 7],
    ['007', 7],
    ['１２', 12],
    ['١٢', 12],
    ['۴۵۶۷', 4567],
    ['१२', 12],
    ['๓๐', 30],
    ['𑄷𑄶1', 101],
    ['\u202A12\u202C', 12],
    ['1\u200B2', 12],
  ],
  refuses: [
    ...all(areaSays.employeeCountZero, 0, -1, '0', '-1', '000', Number.MIN_SAFE_INTEGER),
    ...all('Please enter at most 100000.', 100_001, '100001', 2 ** 53, '9'.repeat(30)),
    ...all(areaSays.employeeCountDigits, 1.5, '1.5', '1,5', 'many', '1e3', '0x10', '+5', '1 000', '--1'),
    ...all(areaSays.employeeCountZero, '٠', '-१'),
    ['١٠٠٠٠١', 'Please enter at most 100000.'],
    ...all(
      areaSays.employeeCountDigits,
      '十二',
      'Ⅻ',
      '½',
      '1\u00A0000',
      null,
      true,
      {},
      Number.NaN,
      Number.POSITIVE_INFINITY,
    ),
    ...empty,
  ],
};

export const aPassword: Row[] = same(
  'a'.repeat(128),
  '🙂'.repeat(128),
  '        ',
  '"\'<>"\'<>',
  '\u0000'.repeat(8),
);
export const longPassword = all(
  'Please use at most 128 characters.',
  'a'.repeat(129),
  '🙂'.repeat(129),
  'a'.repeat(60_000),
);

export const digits: Row[] = same('1', '0', '+49 30 123-456', '- 1', '1'.repeat(30));
const noPhone = all(
  areaSays.phone,
  '+',
  '-',
  '+ -',
  '(030) 1',
  '1/2',
  '030.1',
  '一二三',
  'call 1',
  '1\n2',
  '1x',
);
/** Phone numbers as pasted from contacts, spreadsheets and other keyboards. */
const pastedPhones: Row[] = [
  ['\u202D+49\u00A030\u00A0123\u2011456\u202C', '+49 30 123-456'],
  ['030\u2013123\u2014456', '030-123-456'],
  ['030\u2212123\u200B456\uFEFF', '030-123456'],
  ['\u2066030\u2009123\u3000456\u2069', '030 123 456'],
  ['030\t123', '030 123'],
  ['＋４９　３０', '+49 30'],
  ['０３０－１２３', '030-123'],
  ['\u200F+٩٦٦ ٥٠ ١٢٣ ٤٥٦٧', '+966 50 123 4567'],
  ['+۹۸ ۲۱–۸۸۷۶', '+98 21-8876'],
  ['+९१ ९८७६५ ४३२१०', '+91 98765 43210'],
  ['٠١२३4', '01234'],
  ['١'.repeat(30), '1'.repeat(30)],
  ['𑄶'.repeat(30), '0'.repeat(30)],
];
export const phone: Table = {
  takes: [...digits, ...pastedPhones, [' 1 ', '1']],
  refuses: [missing, ...notText, ...noPhone],
};
export const longPhone: Row = ['1'.repeat(31), 'Please use at most 30 characters.'];

export const letters: Row[] = same('Acme', 'Ärzte', 'नमस्ते', '李', 'a'.repeat(8));
export const twoWords: Row[] = [...same('Acme Works'), [' Acme ', 'Acme'], ['Cafe\u0301', 'Café']];
