// Compiles the catalogs of languages/ into modules below words/. `words/de/members.ts` holds the German texts of the
// group `members`: a string for each, or a function of its values. The pages of a language are built with these.
// The server reads `words/members.ts`, which finds each text when it is read, and rules read `words/rules/members.ts`.
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { countries } from '#contract/profile/countries.ts';
import { type MessageFormatElement, TYPE } from '@formatjs/icu-messageformat-parser';
import {
  type Catalog,
  type Kind,
  type Message,
  PRODUCT,
  SOURCE,
  constantOf,
  isConstant,
  kindsOf,
  messageOf,
  partsOf,
  pluralRulesOf,
  readCatalogs,
} from './messages.ts';

const root = path.join(import.meta.dirname, '../..');

/** The sources of all modules, by their path below words/. */
export function compile(catalogs: readonly Catalog[]): Map<string, string> {
  const source = catalogs.find(({ language }) => language === SOURCE);
  if (!source) throw new Error(`languages/${SOURCE}.arb is missing`);
  const kinds = new Map([...source.texts].map(([key, text]) => [key, kindsOf(messageOf(text))]));
  const modules = aboutLanguages(catalogs);
  for (const group of new Set([...source.texts.keys()].map(groupOf))) {
    const file = `${group.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}.ts`;
    const name = `${group}Text`;
    for (const catalog of catalogs)
      modules.set(`${catalog.language}/${file}`, ofLanguage(catalog, source, group, kinds));
    modules.set(file, spokenOf(catalogs, file, name));
    modules.set(`rules/${file}`, rulesOf(file, name));
    modules.set(`rules/types/${file}`, typesOfRules(file, name));
  }
  return modules;
}

/** The module of the server, which finds each text when it is read. */
function spokenOf(catalogs: readonly Catalog[], file: string, name: string) {
  const others = catalogs
    .filter(({ language }) => language !== SOURCE)
    .map(({ language }) => `${JSON.stringify(language)}: () => load('./${language}/${file}').${name}`);
  return `import { createRequire } from 'node:module';
import { spoken } from '#server/language.ts';
import { ${name} as words } from './${SOURCE}/${file}';
const load = createRequire(import.meta.url);
export const ${name} = spoken(words, { ${others.join(', ')} });\n`;
}

/** The texts as messages of rules: they are read when a rule is broken, not when it is made. */
const rulesOf = (file: string, name: string) => `import { readLate } from '#server/language.ts';
import { ${name} as english } from '../${SOURCE}/${file}';
import { ${name} as words } from '../${file}';
export const ${name} = readLate(english, words);
`;
const typesOfRules = (file: string, name: string) => `import type { RuleTexts } from '#contract/rule-text.ts';
import type { ${name} as words } from '../../${SOURCE}/${file}';
export declare const ${name}: RuleTexts<typeof words>;
`;

/** `language.ts` says how a language is written, and `languages.ts` lists them all. */
function aboutLanguages(catalogs: readonly Catalog[]): Map<string, string> {
  const modules = new Map<string, string>();
  for (const { language, locale, head } of catalogs) {
    const about = {
      tag: language,
      locale,
      direction: isRightToLeft(locale) ? 'rtl' : 'ltr',
      isFamilyFirst: head['@@x-names'] === 'family-first',
      hasLongWords: head['@@x-words'] === 'long',
      isReviewed: head['@@x-state'] === 'reviewed',
    };
    modules.set(`${language}/countries.ts`, countriesIn(locale));
    modules.set(`${language}/language.ts`, `export const spokenLanguage = ${JSON.stringify(about)};\n`);
  }
  modules.set('countries.ts', spokenOf(catalogs, 'countries.ts', 'countriesText'));
  modules.set('language.ts', spokenOf(catalogs, 'language.ts', 'spokenLanguage'));
  const imports = catalogs.map(
    ({ language }, at) => `import { spokenLanguage as language${at} } from './${language}/language.ts';`,
  );
  const names = catalogs.map((_, at) => `language${at}`).join(', ');
  modules.set('languages.ts', `${imports.join('\n')}\nexport const languages = [${names}];\n`);
  // Types are those of English.
  modules.set(`${SOURCE}/languages.ts`, `export * from '../languages.ts';\n`);
  return modules;
}

/** The names of countries by their English names, which the wire has. `Intl` has a few other English ones. */
function countriesIn(locale: string) {
  const english = locale.startsWith('en');
  const names = new Intl.DisplayNames(locale, { type: 'region' });
  const others = english ? [] : countries.map(({ code, name }) => [name, names.of(code) ?? name]);
  return `const names = new Map<string, string>(${JSON.stringify(others)});
export const countriesText = { nameOf: (name: string) => names.get(name) ?? name };\n`;
}

const groupOf = (key: string) => key.slice(0, key.indexOf('.'));

type Kinds = ReadonlyMap<string, ReadonlyMap<string, Kind>>;
/** The leaves are whole properties. */
interface Tree {
  [name: string]: Tree | string;
}

/** A draft lacks texts, and has those of English for them. */
function ofLanguage({ locale, texts }: Catalog, source: Catalog, group: string, kinds: Kinds): string {
  const tree: Tree = {};
  for (const [key, english] of source.texts) {
    if (groupOf(key) !== group) continue;
    const text = texts.get(key);
    const names = key.split('.').slice(1);
    const last = names.pop() ?? '';
    let place = tree;
    for (const name of names) place = (place[name] ??= {}) as Tree;
    const spoken = text === undefined ? source.locale : locale;
    place[last] = propertyOf(last, messageOf(text ?? english), kinds.get(key) ?? new Map(), spoken);
  }
  const code = `export const ${group}Text = ${objectOf(tree)};\n`;
  const helpers = [
    ["import { isolated } from '#contract/in-words.ts';", 'isolated('],
    ["import { product } from '#contract/product.ts';", 'product.name'],
    [`const rules = new Intl.PluralRules(${JSON.stringify(locale)});`, 'rules.'],
    [`const numbers = new Intl.NumberFormat(${JSON.stringify(locale)});`, 'numbers.'],
  ] as const;
  return [...helpers.filter(([, use]) => code.includes(use)).map(([line]) => line), code].join('\n');
}

const objectOf = (tree: Tree): string =>
  `{${Object.entries(tree)
    .map(([name, value]) =>
      typeof value === 'string' ? value : `${JSON.stringify(name)}: ${objectOf(value)}`,
    )
    .join(',\n')}}`;

/** Text, or the code of an expression. */
type Piece = { readonly text: string } | { readonly code: string };
type Place = {
  readonly locale: string;
  readonly kinds: ReadonlyMap<string, Kind>;
  /** The message has tags, so it gives a list of its parts. */
  readonly hasTags: boolean;
  /** The number behind `#`. */
  readonly count?: Piece;
};

function propertyOf(key: string, message: Message, kinds: ReadonlyMap<string, Kind>, locale: string): string {
  const hasTags = partsOf(message).some(({ type }) => type === TYPE.tag);
  const code = wholeOf(message, { locale, kinds, hasTags });
  const name = JSON.stringify(key);
  const values = [...kinds].filter(([value]) => !isConstant(value) && value !== PRODUCT);
  // The name of the portal may change while the server runs.
  if (values.length === 0)
    return kinds.has(PRODUCT) ? `get ${name}() { return ${code}; }` : `${name}: ${code}`;
  const types = values.map(([value, kind]) => `${value}: ${typeOf(kind)}`).join('; ');
  return `${name}: ${hasTags ? '<T>' : ''}(v: { ${types} }) => ${code}`;
}

function typeOf(kind: Kind): string {
  if (kind === 'tag') return '(words: string) => T';
  if (kind === 'text') return 'string';
  return kind === 'number' ? kind : kind.map((word) => JSON.stringify(word)).join(' | ');
}

function wholeOf(message: Message, place: Place): string {
  // A text has the direction of its first letter, and a value would give it another one.
  const starts = message.length > 1 && message[0]?.type === TYPE.argument && isRightToLeft(place.locale);
  const pieces = [
    ...(starts ? [{ text: '\u200F' }] : []),
    ...message.flatMap((part) => piecesOf(part, place)),
  ];
  if (place.hasTags) return `[${pieces.map(expressionOf).join(', ')}]`;
  const [first] = pieces;
  if (pieces.every((piece) => 'text' in piece))
    return JSON.stringify(pieces.map(({ text }) => text).join(''));
  if (first && pieces.length === 1 && !/^v\.\w+$/.test(expressionOf(first))) return expressionOf(first);
  const inside = pieces.map((piece) =>
    'text' in piece ? piece.text.replaceAll(/[`\\]|\$(?=\{)/g, '\\$&') : `\${${piece.code}}`,
  );
  return `\`${inside.join('')}\``;
}

const expressionOf = (piece: Piece) => ('text' in piece ? JSON.stringify(piece.text) : piece.code);

function piecesOf(part: MessageFormatElement, place: Place): Piece[] {
  if (part.type === TYPE.literal) return [{ text: part.value }];
  if (part.type === TYPE.pound) return place.count ? [place.count] : [];
  if (part.type === TYPE.tag)
    return [{ code: `v.${part.value}(${wholeOf(part.children, { ...place, hasTags: false })})` }];
  const value = constantOf(part.value);
  if (part.type === TYPE.plural && typeof value === 'number') {
    const form = pluralRulesOf(place.locale).select(value);
    const branch = part.options[`=${value}`] ?? part.options[form];
    return (branch?.value ?? []).flatMap((inner) =>
      piecesOf(inner, { ...place, count: { text: numberText(value, place) } }),
    );
  }
  if (value !== undefined) return [{ text: typeof value === 'number' ? numberText(value, place) : value }];
  if (part.value === PRODUCT) return isolate('product.name', place);
  const name = `v.${part.value}`;
  if (part.type === TYPE.plural || part.type === TYPE.select) {
    const count = part.type === TYPE.plural ? { code: numberCode(name, place) } : undefined;
    const branches = Object.entries(part.options).map(([form, { value: branch }]) => {
      const isOne = count && form === 'one' && isOneAlone(place.locale);
      return [
        form,
        wholeOf(branch, { ...place, ...(count && { count: isOne ? { text: '1' } : count }) }),
      ] as const;
    });
    const code =
      part.type === TYPE.plural ? pluralCode(name, branches, place.locale) : choiceCode(name, branches);
    return [{ code: place.hasTags ? `...(${code})` : code }];
  }
  if (place.kinds.get(part.value) === 'number') return [{ code: numberCode(name, place) }];
  return isRightToLeft(place.locale) ? isolate(name, place) : [{ code: `isolated(${name})` }];
}

/** In the sentences of the other languages only a value from right to left stands apart. */
const isolate = (code: string, { locale }: Place): Piece[] =>
  isRightToLeft(locale) ? [{ text: '\u2068' }, { code }, { text: '\u2069' }] : [{ code }];

type Branches = readonly (readonly [form: string, code: string])[];

/** A choice by the value itself: a word, or a number as "=1". The branch "other" comes last. */
const choiceCode = (name: string, branches: Branches) =>
  branches
    .toSorted(([a], [b]) => Number(a === 'other') - Number(b === 'other'))
    .map(([form, code]) => {
      if (form === 'other') return code;
      return `${name} === ${form.startsWith('=') ? form.slice(1) : JSON.stringify(form)} ? ${code} : `;
    })
    .join('');

function pluralCode(name: string, branches: Branches, locale: string): string {
  const exact = branches.filter(([form]) => form.startsWith('='));
  const forms = branches.filter(([form]) => !form.startsWith('='));
  if (isOneAlone(locale)) {
    const isOne = exact.some(([form]) => form === '=1')
      ? () => false
      : ([form]: Branches[number]) => form === 'one';
    return choiceCode(name, [
      ...exact,
      ...forms.filter(isOne).map(([, code]) => ['=1', code] as const),
      ...forms.filter(([form]) => form === 'other'),
    ]);
  }
  const rest = choiceCode(`rules.select(${name})`, forms);
  return choiceCode(name, [...exact, ['other', rest]]);
}

/** "one" is for 1 alone, and "other" for all other numbers. */
const isOneAlone = (locale: string) => {
  const rules = pluralRulesOf(locale);
  return [...Array(200).keys()].every((number) => rules.select(number) === (number === 1 ? 'one' : 'other'));
};

const isRightToLeft = (locale: string) =>
  (new Intl.Locale(locale) as Intl.Locale & TextInfo).getTextInfo().direction === 'rtl';
/** TypeScript does not know it yet. */
type TextInfo = { getTextInfo: () => { direction: 'ltr' | 'rtl' } };

/** English writes numbers without groups, as the interface always did. */
const isPlain = ({ locale }: Place) => locale.startsWith('en');
const numberText = (value: number, place: Place) =>
  isPlain(place) ? String(value) : new Intl.NumberFormat(place.locale).format(value);
const numberCode = (name: string, place: Place) => (isPlain(place) ? name : `numbers.format(${name})`);

/**
 * Writes the modules, and leaves those alone that stay as they are, because the server watches them. Tests write them
 * to folders of their own, with more languages.
 */
export function compileAll(folder = `${root}/words`, more: readonly Catalog[] = []): void {
  const modules = compile([...readCatalogs(`${root}/languages`), ...more]);
  mkdirSync(folder, { recursive: true });
  const present = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts') && !name.startsWith('test-'),
  );
  for (const name of present) if (!modules.has(name.replaceAll('\\', '/'))) rmSync(`${folder}/${name}`);
  for (const [name, code] of modules) {
    const file = `${folder}/${name}`;
    if (present.includes(path.normalize(name)) && readFileSync(file, 'utf8') === code) continue;
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, code);
  }
}

if (import.meta.main) compileAll();
