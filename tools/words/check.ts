// Compares the catalogs of languages/ with English, and says what a translator has to change.
import { TYPE } from '@formatjs/icu-messageformat-parser';
import {
  type Catalog,
  type Kind,
  type Message,
  SOURCE,
  constantOf,
  isConstant,
  isDraft,
  kindsOf,
  messageOf,
  partsOf,
  pluralRulesOf,
} from './messages.ts';

/** The mistakes in the catalogs: a sentence for each, with file and key. */
export function problemsIn(catalogs: readonly Catalog[]): string[] {
  const english = catalogs.find(({ language }) => language === SOURCE);
  if (!english) return [`languages/${SOURCE}.arb is missing.`];
  return catalogs.flatMap((catalog) => {
    const at = `languages/${catalog.language}.arb`;
    const left = isDraft(catalog) ? { missing: [], same: [] } : leftIn(catalog, english);
    return [
      ...headProblems(catalog).map((problem) => `${at}: ${problem}`),
      ...left.missing.map((key) => `${at}: "${key}" is missing. English has: ${english.texts.get(key)}`),
      ...left.same.map(
        (key) =>
          `${at}: "${key}" is as in English: ${english.texts.get(key)}. Translate it, or add its words to "@@x-as-in-english".`,
      ),
      ...[...catalog.texts].flatMap(([key, text]) =>
        textProblems(text, english.texts.get(key), catalog.locale).map(
          (problem) => `${at}: "${key}" ${problem}`,
        ),
      ),
    ];
  });
}

/** The texts that nobody has translated yet: they are missing, or still as in English. */
export function leftIn(catalog: Catalog, english: Catalog): Record<'missing' | 'same', string[]> {
  const keys = [...english.texts.keys()];
  const shared = new Set([...NAMES_AND_UNITS, ...sharedWordsOf(catalog)]);
  return {
    missing: keys.filter((key) => !catalog.texts.has(key)),
    same: keys.filter((key) => {
      const text = catalog.texts.get(key) ?? '';
      return (
        catalog !== english &&
        text === english.texts.get(key) &&
        !wordsOf(text).every((word) => shared.has(word))
      );
    }),
  };
}

/** Each language may write these as English does. */
const NAMES_AND_UNITS = ['Facebook', 'Google', 'ID', 'MB', 'UTC', 'kB', 'ms'];
const sharedWordsOf = ({ head }: Catalog): string[] => {
  const words = head['@@x-as-in-english'];
  return Array.isArray(words) ? words.map(String) : [];
};
const wordsOf = (text: string) =>
  literalsOf(messageOf(text)).flatMap((words) => words.match(/\p{L}+/gu) ?? []);

const OPTIONAL = { '@@x-names': 'family-first', '@@x-words': 'long' };

function headProblems({ language, locale, head, texts }: Catalog): string[] {
  const state = head['@@x-state'];
  return [
    ...(isLanguage(locale) && locale.split('-')[0] === language.split('-')[0]
      ? []
      : [`"@@locale" is "${locale}", but the file is for "${language}".`]),
    ...(state === 'reviewed' || state === 'draft' ? [] : ['"@@x-state" has to be "reviewed" or "draft".']),
    ...Object.entries(OPTIONAL)
      .filter(([name, value]) => head[name] !== undefined && head[name] !== value)
      .map(([name, value]) => `"${name}" has to be "${value}", or to be missing.`),
    ...Object.keys(head)
      .filter((name) => !name.startsWith('@@') && !texts.has(name.slice(1)))
      .map((name) => `"${name}" describes a text that does not exist.`),
  ];
}

/** Unicode has a name for it. `Intl` supports fewer languages. */
function isLanguage(locale: string): boolean {
  try {
    return new Intl.DisplayNames('en', { type: 'language', fallback: 'none' }).of(locale) !== undefined;
  } catch {
    return false;
  }
}

function textProblems(text: string, source: string | undefined, locale: string): string[] {
  if (source === undefined) return ['is not in the English file. Remove it, or look for a misspelled key.'];
  if (text.trim() !== text || text === '') return ['is empty, or begins or ends with a space.'];
  let message: Message;
  try {
    message = messageOf(text);
  } catch (error) {
    return [`cannot be read: ${sentenceFor(error)}`];
  }
  return [
    ...valueProblems(message, messageOf(source)),
    ...pluralProblems(message, locale),
    ...markupProblems(message, messageOf(source)),
  ];
}

/** The parser's names of mistakes, in words. */
const mistakes: Readonly<Record<string, string>> = {
  EXPECT_ARGUMENT_CLOSING_BRACE: 'a closing brace } is missing.',
  EMPTY_ARGUMENT: 'there is nothing between the braces {}.',
  MALFORMED_ARGUMENT: 'a name in braces may hold letters only, as in English.',
  MISSING_OTHER_CLAUSE: 'each plural and each choice needs the form "other".',
  UNMATCHED_CLOSING_TAG: 'a closing tag does not match its opening tag.',
  UNCLOSED_TAG: 'a tag is not closed.',
  INVALID_TAG: "a sign < is no tag. Write it between apostrophes: '<'.",
};
const sentenceFor = (error: unknown) =>
  mistakes[(error as Error).message] ?? `${(error as Error).message}. Compare the braces with English.`;

const placeholderOf = (name: string, kind: Kind) => (kind === 'tag' ? `<${name}>` : `{${name}}`);

function valueProblems(message: Message, source: Message): string[] {
  const kinds = kindsOf(message);
  const expected = kindsOf(source);
  const problems = [...expected].flatMap(([name, kind]) =>
    kinds.has(name) ? [] : [`lacks ${placeholderOf(name, kind)}, which English has.`],
  );
  for (const [name, kind] of kinds) {
    const wanted = expected.get(name);
    if (wanted === undefined) problems.push(`has ${placeholderOf(name, kind)}, which English does not have.`);
    else if (Array.isArray(kind) && String(kind) !== String(wanted))
      problems.push(`has the choices ${kind.join(', ')} of {${name}}, but English has ${String(wanted)}.`);
    else if (kind === 'number' && wanted !== 'number')
      problems.push(`uses {${name}} as a number, but it is a text.`);
    if (isConstant(name) && constantOf(name) === undefined)
      problems.push(`has {${name}}, but contract/limits.ts has no such constant.`);
  }
  return problems;
}

export const formsOf = (locale: string) => {
  const rules = pluralRulesOf(locale);
  return new Set([...Array(1001).keys(), 10_000, 100_000].map((number) => rules.select(number)));
};

function pluralProblems(message: Message, locale: string): string[] {
  return partsOf(message).flatMap((part) => {
    if (part.type === TYPE.date || part.type === TYPE.time)
      return ['has a date or time. The code formats these.'];
    if (part.type !== TYPE.plural) return [];
    if (part.offset !== 0 || part.pluralType === 'ordinal') return ['has an offset or an ordinal.'];
    const expected = formsOf(locale);
    const coversZero = pluralRulesOf(locale).select(0) === 'one';
    const forms = Object.keys(part.options).filter((form) => !form.startsWith('='));
    const lacking = [...expected].filter((form) => !forms.includes(form));
    const extra = forms.filter((form) => !(expected as ReadonlySet<string>).has(form));
    const showsCount = (form: string) => part.options[form]?.value.some(({ type }) => type === TYPE.pound);
    return [
      ...(lacking.length > 0 ? [`lacks the plural form ${lacking.join(', ')} of {${part.value}}.`] : []),
      ...(extra.length > 0
        ? [`has the plural form ${extra.join(', ')} of {${part.value}}, which this language does not have.`]
        : []),
      ...(coversZero && showsCount('other') && !showsCount('one')
        ? [`does not show # in the form "one" of {${part.value}}, which is for 0, too.`]
        : []),
    ];
  });
}

const literalsOf = (message: Message): string[] =>
  partsOf(message).flatMap((part) => (part.type === TYPE.literal ? [part.value] : []));

/** Web addresses and signs of markup in the words themselves. */
const marks = (message: Message) =>
  literalsOf(message).flatMap(
    (words) => words.match(/(?:https?:\/\/|www\.)(?:[\w./-]*[\w/])?|[<>]|&\w+;/g) ?? [],
  );
function markupProblems(message: Message, source: Message): string[] {
  const allowed = new Set(marks(source));
  return marks(message)
    .filter((mark) => !allowed.has(mark))
    .map((mark) => `has ${mark}, which English does not have.`);
}
