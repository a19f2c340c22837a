import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { assert, describe, expect, test } from 'vitest';
import { dayIn } from '#contract/dates.ts';
import { PRODUCT_NAME } from '#contract/limits.ts';
import { nameList } from '#contract/list-words.ts';
import { product } from '#contract/product.ts';
import { placeWords } from '#contract/profile/place-words.ts';
import { problemWords } from '#contract/webhooks/problem-words.ts';
import { inLanguage } from '#server/language.ts';
import { leftIn, problemsIn } from './check.ts';
import { compile } from './compile.ts';
import { catalogOf, readCatalogs } from './messages.ts';
import { pseudoCatalogs } from './pseudo.ts';
import { unusedIn } from './unused.ts';

const root = path.join(import.meta.dirname, '../..');
const catalog = (language: string, texts: Record<string, string>, head = {}) =>
  catalogOf(language, JSON.stringify({ '@@locale': language, '@@x-state': 'draft', ...head, ...texts }));

test('the catalogs of the portal are whole', () => {
  expect(problemsIn(readCatalogs(`${root}/languages`))).toEqual([]);
});

test('dates and lists are written as the language does', () => {
  const written = () => [dayIn('UTC')(new Date(0)), nameList(['A', 'B'])];
  expect(written()).toEqual(['1 Jan 1970', 'A, B']);
  expect(inLanguage('de', written)).toEqual(['01.01.1970', 'A, B']);
  expect(inLanguage('ja', written)).toEqual(['1970/01/01', 'A、B']);
});

test('a pseudo-language is whole, and each of its letters shows where it comes from', () => {
  const [english] = readCatalogs(`${root}/languages`);
  assert(english);
  const [accented, mirrored] = pseudoCatalogs(english);
  assert(accented && mirrored);
  expect(problemsIn([english, accented, mirrored])).toEqual([]);
  const key = 'activity.signIn.signedIn';
  expect(accented.texts.get(key)).toBe(
    '[{reader,select,other{{who} ššîîĝññééð îîññ} you{Ýööûû ššîîĝññééð îîññ}}]',
  );
  expect(mirrored.texts.get(key)).toMatch(/^\{reader,select,other\{\{who\} \u202Esigned\u202C /);
  const lengthOf = (texts: ReadonlyMap<string, string>) => [...texts.values()].join('').length;
  expect(lengthOf(accented.texts) / lengthOf(english.texts)).toBeCloseTo(1.4, 1);
});

test.each([
  ['Munich, Germany', 'Munich, Deutschland', 'Munich、ドイツ'],
  ['Ivory Coast', 'Côte d’Ivoire', 'コートジボワール'],
  ['Unknown', 'Unknown', 'Unknown'],
  ['203.0.113.7', '203.0.113.7', '203.0.113.7'],
])('%s', (place, german, japanese) => {
  expect(placeWords(place)).toBe(place);
  expect(inLanguage('de', () => placeWords(place))).toBe(german);
  expect(inLanguage('ja', () => placeWords(place))).toBe(japanese);
});

test.each([
  ['answered with 410', 'Antwort mit Status 410'],
  [
    'answered with 302, a redirect, which is not followed',
    'Antwort mit Status 302, einer Weiterleitung, der wir nicht folgen',
  ],
  [
    'could not be reached: its address is unknown, private or reserved',
    'nicht erreichbar: Die Adresse ist unbekannt, privat oder reserviert',
  ],
  ['could not be reached: the connection ended', 'nicht erreichbar: Die Verbindung wurde beendet'],
  [
    'could not be reached: no answer within 10 seconds',
    'nicht erreichbar: keine Antwort innerhalb von 10 Sekunden',
  ],
  ['could not be reached: connect ECONNREFUSED', 'nicht erreichbar: connect ECONNREFUSED'],
  ['something else', 'something else'],
])('%s', (recorded, german) => {
  expect(problemWords(recorded)).toBe(recorded);
  expect(inLanguage('de', () => problemWords(recorded))).toBe(german);
});

describe('the check', () => {
  const english = catalog('en', {
    'a.plain': 'Plain',
    'a.name': 'Delete {name}?',
    'a.count': '{count, plural, one {# person} other {# people}}',
    'a.reader': '{reader, select, you {You left} other {{who} left}}',
    'a.link': 'See the <terms>terms</terms>',
    'a.limit': 'At least {PASSWORD_MIN_CHARACTERS, number}',
  });
  const german = {
    'a.plain': 'Einfach',
    'a.name': '{name} löschen?',
    'a.count': '{count, plural, one {# Person} other {# Personen}}',
    'a.reader': '{reader, select, you {Du bist gegangen} other {{who} ist gegangen}}',
    'a.link': 'Siehe <terms>Bedingungen</terms>',
    'a.limit': 'Mindestens {PASSWORD_MIN_CHARACTERS, plural, one {# Zeichen} other {# Zeichen}}',
  };
  const problemsOf = (language: string, texts: Record<string, string>, head = {}) =>
    problemsIn([english, catalog(language, texts, head)]);

  test('takes a whole translation', () => {
    expect(problemsOf('de', german)).toEqual([]);
  });

  test.each([
    [{ 'a.name': 'Löschen?' }, '"a.name" lacks {name}, which English has.'],
    [{ 'a.name': '{nmae} löschen?' }, '"a.name" has {nmae}, which English does not have.'],
    [
      { 'a.name': '{name, plural, one {#} other {#}}' },
      '"a.name" uses {name} as a number, but it is a text.',
    ],
    [{ 'a.name': '{name} löschen {' }, '"a.name" cannot be read: a closing brace } is missing.'],
    [{ 'a.name': ' {name} löschen?' }, '"a.name" is empty, or begins or ends with a space.'],
    [{ 'a.link': 'Siehe Bedingungen' }, '"a.link" lacks <terms>, which English has.'],
    [{ 'a.link': 'Siehe <terms>Bedingungen' }, '"a.link" cannot be read: a tag is not closed.'],
    [{ 'a.plain': '<b>Einfach</b>' }, '"a.plain" has <b>, which English does not have.'],
    [
      { 'a.plain': 'Siehe https://x.example' },
      '"a.plain" has https://x.example, which English does not have.',
    ],
    [{ 'a.count': '{count, plural, other {# Personen}}' }, '"a.count" lacks the plural form one of {count}.'],
    [
      { 'a.count': '{count, plural, one {#} few {#} other {#}}' },
      '"a.count" has the plural form few of {count}, which this language does not have.',
    ],
    [
      { 'a.reader': '{reader, select, du {Du} other {{who}}}' },
      '"a.reader" has the choices du, other of {reader}, but English has other,you.',
    ],
    [{ 'a.other': 'Mehr' }, '"a.other" is not in the English file. Remove it, or look for a misspelled key.'],
  ])('says for %o: %s', (changed, problem) => {
    expect(problemsOf('de', { ...german, ...changed })).toContain(`languages/de.arb: ${problem}`);
  });

  test('names a missing text, and a wrong head', () => {
    const { 'a.plain': _, ...rest } = german;
    expect(problemsOf('de', rest, { '@@x-state': 'done', '@@x-names': 'family' })).toEqual([
      'languages/de.arb: "@@x-state" has to be "reviewed" or "draft".',
      'languages/de.arb: "@@x-names" has to be "family-first", or to be missing.',
      'languages/de.arb: "a.plain" is missing. English has: Plain',
    ]);
  });

  test('lets a draft lack texts, and counts what is left', () => {
    const { 'a.plain': _, ...rest } = german;
    expect(problemsOf('de', rest)).toEqual([]);
    const draft = catalog('de', { ...rest, 'a.name': 'Delete {name}?' });
    expect(leftIn(draft, english)).toEqual({ missing: ['a.plain'], same: ['a.name'] });
  });

  test('names a text left in English, unless its words are listed', () => {
    const head = { '@@x-state': 'reviewed' };
    expect(problemsOf('de', { ...german, 'a.plain': 'Plain' }, head)).toEqual([
      'languages/de.arb: "a.plain" is as in English: Plain. Translate it, or add its words to "@@x-as-in-english".',
    ]);
    const listed = { ...head, '@@x-as-in-english': ['Plain'] };
    expect(problemsOf('de', { ...german, 'a.plain': 'Plain' }, listed)).toEqual([]);
  });

  test.each(['nl', 'mi'])('knows the language %s', (language) => {
    expect(problemsOf(language, { 'a.plain': 'Eenvoudig' })).toEqual([]);
  });

  test.each(['qqq', 'n_l'])('does not know the language %s', (language) => {
    expect(problemsOf(language, {})).toEqual([
      `languages/${language}.arb: "@@locale" is "${language}", but the file is for "${language}".`,
    ]);
  });

  test('Māori has one plural form', () => {
    expect(problemsOf('mi', { 'a.count': '{count, plural, other {# tāngata}}' })).toEqual([]);
  });

  test('asks French for the number where "one" is for 0, too', () => {
    const french = {
      ...german,
      'a.count': '{count, plural, one {une personne} many {#} other {# personnes}}',
    };
    expect(problemsOf('fr', french).join('\n')).toMatch(/"a\.count" does not show # in the form "one"/);
  });
});

test.each([
  ["import { aText } from '#words/a.ts';\naText.b.c(1);", ['a.b.d', 'b.x']],
  ["import { aText as text } from '#words/a.ts';\nshow(text.b);", ['b.x']],
  ["import { aText as text } from '#words/a.ts';\nconst { b } = { ...text };", ['b.x']],
  ['import { bText as text } from \'#words/b.ts\';\n<input type="text" />;', ['a.b.c', 'a.b.d', 'b.x']],
])('of three texts, %j leaves some unread', (source, unread) => {
  expect(unusedIn(['a.b.c', 'a.b.d', 'b.x'], [source])).toEqual(unread);
});

describe('the compiler', () => {
  const texts = {
    'some.name': 'Delete “{name}” `now`?',
    'some.deep.count': '{count, plural, one {# person} other {# people}}',
    'some.deep.left': '{days, plural, =1 {Less than a day left} one {# day left} other {# days left}}',
    'some.link': 'See the <terms>terms</terms>.',
    'some.limit': 'At least {PASSWORD_MIN_CHARACTERS, plural, one {# character} other {# characters}}',
    'some.sign': "Leave out '<' and {word}",
    'some.about': 'About {product}',
  };
  const arabic = {
    'some.name': 'حذف {name}؟',
    'some.deep.count':
      '{count, plural, zero {لا أشخاص} one {شخص واحد} two {شخصان} few {# أشخاص} many {# شخصًا} other {# شخص}}',
    'some.deep.left': '{days, plural, zero {z} one {o} two {t} few {f #} many {m #} other {x #}}',
    'some.link': 'انظر <terms>الشروط</terms>.',
    'some.limit':
      '{PASSWORD_MIN_CHARACTERS, plural, zero {z} one {o} two {t} few {على الأقل # أحرف} many {على الأقل # حرفًا} other {x}}',
    'some.sign': '{word} ممنوع',
    'some.about': 'عن {product}',
  };

  const draft = catalog('mi', { 'some.name': 'Mukua a {name}?' });

  test('gives each language its texts, and a reader those of the language set', async () => {
    mkdirSync(`${root}/words`, { recursive: true });
    const folder = mkdtempSync(`${root}/words/test-`);
    try {
      for (const [name, code] of compile([catalog('en', texts), catalog('ar', arabic), draft])) {
        mkdirSync(path.dirname(`${folder}/${name}`), { recursive: true });
        writeFileSync(`${folder}/${name}`, code);
      }
      const { someText: text } = (await import(`${folder}/some.ts`)) as { someText: Some };
      const read = () => [
        text.name({ name: 'Ann' }),
        ...[0, 1, 2, 11].map((count) => text.deep.count({ count })),
        text.deep.left({ days: 1 }),
        text.link({ terms: (words) => words.length }),
        text.limit,
        text.sign({ word: 'דנה' }),
        text.about,
      ];
      const english = [
        'Delete “Ann” `now`?',
        '0 people',
        '1 person',
        '2 people',
        '11 people',
        'Less than a day left',
        ['See the ', 5, '.'],
        'At least 8 characters',
        'Leave out < and \u2068דנה\u2069',
        'About Northwind',
      ];
      product.name = 'Northwind';
      expect(read()).toEqual(english);
      expect(inLanguage('ar', read)).toEqual([
        'حذف \u2068Ann\u2069؟',
        'لا أشخاص',
        'شخص واحد',
        'شخصان',
        '11 شخصًا',
        'o',
        ['انظر ', 6, '.'],
        'على الأقل 8 أحرف',
        '\u200F\u2068דנה\u2069 ممنوع',
        'عن \u2068Northwind\u2069',
      ]);
      // A draft has some texts, and those of English for the others.
      expect(inLanguage('mi', read)).toEqual(['Mukua a Ann?', ...english.slice(1)]);
      // A language without a catalog reads English.
      expect(inLanguage('xx', read)).toEqual(english);
      expect(Object.keys(text)).toEqual(['name', 'deep', 'link', 'limit', 'sign', 'about']);
    } finally {
      product.name = PRODUCT_NAME;
      rmSync(folder, { recursive: true });
    }
  });

  type Some = {
    readonly name: (values: { name: string }) => string;
    readonly deep: Record<'count', (values: { count: number }) => string> &
      Record<'left', (values: { days: number }) => string>;
    readonly link: <T>(values: { terms: (words: string) => T }) => (string | T)[];
    readonly limit: string;
    readonly sign: (values: { word: string }) => string;
    readonly about: string;
  };
});
