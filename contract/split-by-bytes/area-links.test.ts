import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { website } from './area-fields.ts';
import { areaFieldText } from '#words/area-field.ts';
import { fieldText } from '#words/field.ts';

const ofLength = (characters: number) => 'https://example.com/'.padEnd(characters, 'a');
const script = [
  'javascript:alert(1)',
  'JAVASCRIPT:alert(1)',
  'data:text/html,x',
  'vbscript:x',
  'file:///etc/passwd',
];
const unsafe = [
  'https://a.de/"',
  'https://a.de/<b>',
  "https://a.de/'",
  'https://a.de/ b',
  'https://a.de\nhttps://b.de',
];
const controls = ['https://a.de/\u0000', 'https://a.de/\u001B', 'https://a.de/\u007F', 'https://a.de/\u0085'];

const tables = {
  website: {
    field: website,
    says: areaFieldText.website,
    takes: [
      '',
      ...'example.com http://example.com HTTPS://Example.COM/Path?q=1#x https://a.b-c.de:8443/'.split(' '),
      ...'a.de:65535 a.de:1/x https://a.de:080 https://example.com?q=1 https://example.com#x'.split(' '),
      ...'a.b.c.d.example 1.example'.split(' '),
      ofLength(200),
      'münchen.de',
      'https://उदाहरण.भारत',
      'https://пример.рф',
      'https://xn--e1afmkfd.xn--p1ai',
    ],
    refuses: [
      ...'example https://localhost //example.com https:// https://.com a..com a.com. a.c'.split(' '),
      ...'ftp://example.com https:example.com https//example.com http://http://a.de'.split(' '),
      ...'mailto:a@b.co https://u:p@example.com a@b.co https://-a.com https://a-.com'.split(' '),
      'https://exa mple.com',
      'a.de\\b',
      ...'127.0.0.1 https://1.2.3.4/ https://[::1]/ https://a.de: https://a.de:123456'.split(' '),
      ...'https://a.de:99999 a.de:65536 a.de:0 https://a.de:00000/x a.de:x'.split(' '),
      ...script,
      ...unsafe,
      ...controls,
    ],
  },
};

describe.for(Object.entries(tables))('%s', ([, { field, says, takes, refuses }]) => {
  test.for(takes)('takes %j and trims it', (typed) => {
    expect(z.decode(field, typed)).toBe(typed);
    expect(z.decode(field, ` ${typed}\n`)).toBe(typed);
  });
  test.for(refuses)('refuses %j', (typed) => {
    expect(z.safeDecode(field, typed).error?.issues[0]?.message).toBe(says);
  });
});

test.for<[typed: string, stored: string]>([
  ['\u200Bhttps://example.com\u00A0', 'https://example.com'],
  ['\u202Ahttps://my\u2011example.com/a\u202C', 'https://my-example.com/a'],
  ['ｈｔｔｐｓ：／／example.com', 'https://example.com'],
])('takes %j as %s', ([typed, stored]) => {
  expect(z.decode(website, typed)).toBe(stored);
});

test.for([
  [website, ofLength(201), 'Please use at most 200 characters.'],
  [website, null, fieldText.wrongType],
  [website, undefined, fieldText.required],
] as const)('%#: a wrong length or type gets a message', ([field, typed, message]) => {
  expect(z.safeDecode(field, typed as never).error?.issues[0]?.message).toBe(message);
});
