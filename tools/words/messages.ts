// Reads the catalogs in languages/: JSON in the format ARB, whose texts are ICU messages (MessageFormat 1).
import { readFileSync, readdirSync } from 'node:fs';
import { type MessageFormatElement, TYPE, parse } from '@formatjs/icu-messageformat-parser';
import * as limits from '#contract/limits.ts';

export type Catalog = {
  /** The name of the file without its ending, such as "pt-BR". */
  readonly language: string;
  /** The tag for `Intl`. */
  readonly locale: string;
  readonly head: Readonly<Record<string, unknown>>;
  readonly texts: ReadonlyMap<string, string>;
};

/** A value of a message: a text, a number, one of some words, or a function for the words in a tag. */
export type Kind = 'text' | 'number' | 'tag' | readonly string[];
export type Message = readonly MessageFormatElement[];

export const SOURCE = 'en';

export const isDraft = ({ head }: Catalog): boolean => head['@@x-state'] === 'draft';

/** The catalogs of a folder, English first. */
export function readCatalogs(folder: string): Catalog[] {
  const names = readdirSync(folder).filter((name) => name.endsWith('.arb'));
  const isSource = (name: string) => Number(name === `${SOURCE}.arb`);
  return names
    .toSorted((a, b) => isSource(b) - isSource(a) || a.localeCompare(b))
    .map((name) => catalogOf(name.slice(0, -'.arb'.length), readFileSync(`${folder}/${name}`, 'utf8')));
}

export function catalogOf(language: string, json: string): Catalog {
  const entries = Object.entries(JSON.parse(json) as Record<string, unknown>);
  const head = Object.fromEntries(entries.filter(([key]) => key.startsWith('@')));
  const texts = entries
    .filter(([key]) => !key.startsWith('@'))
    .map(([key, text]) => [key, String(text)] as const);
  const locale = head['@@locale'];
  return { language, locale: typeof locale === 'string' ? locale : language, head, texts: new Map(texts) };
}

export const messageOf = (text: string): Message => parse(text);

/** The value of `{PASSWORD_MIN_CHARACTERS}`: a constant of contract/limits.ts, which the compiler fills in. */
export function constantOf(name: string): string | number | undefined {
  const value: unknown = (limits as Readonly<Record<string, unknown>>)[name];
  return typeof value === 'string' || typeof value === 'number' ? value : undefined;
}
/** `{product}` is the name of the portal, which every text may have. */
export const PRODUCT = 'product';
export const isConstant = (name: string) => /^[A-Z][A-Z_]+$/.test(name);

/** Unicode knows no plural forms of some languages, such as Māori. `Intl` would then take those of the machine. */
export const pluralRulesOf = (locale: string): Pick<Intl.PluralRules, 'select'> =>
  Intl.PluralRules.supportedLocalesOf(locale).length > 0
    ? new Intl.PluralRules(locale)
    : { select: () => 'other' };

/** The parts of a message, with those inside of plurals, choices and tags. */
export const partsOf = (message: Message): MessageFormatElement[] =>
  message.flatMap((part) => [
    part,
    ...('options' in part ? Object.values(part.options).flatMap(({ value }) => partsOf(value)) : []),
    ...('children' in part ? partsOf(part.children) : []),
  ]);

/** The values of a message. */
export function kindsOf(message: Message): Map<string, Kind> {
  const kinds = new Map<string, Kind>();
  for (const part of partsOf(message)) {
    if (part.type === TYPE.literal || part.type === TYPE.pound) continue;
    const kind = kindOf(part);
    if (kind !== 'text' || !kinds.has(part.value)) kinds.set(part.value, kind);
  }
  return kinds;
}

function kindOf(part: MessageFormatElement): Kind {
  if (part.type === TYPE.select) return Object.keys(part.options).toSorted();
  if (part.type === TYPE.tag) return 'tag';
  return part.type === TYPE.plural || part.type === TYPE.number ? 'number' : 'text';
}
