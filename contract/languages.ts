import { WIRE_NAME } from './limits.ts';

/** The language of the specification, in which all texts are written first. */
export const SOURCE_LANGUAGE = 'en';
/** The language of this browser, with `*` behind one that the person chose by hand. */
export const LANGUAGE_COOKIE = `${WIRE_NAME}-language`;
/** The language that an application asked for, until the browser closes. */
export const ASKED_LANGUAGE_COOKIE = `${WIRE_NAME}-asked-language`;

export const LANGUAGE_TAG = /^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/;

/** The language among those offered that a tag means: "de-AT" is "de", "pt-PT" is "pt-BR". */
export function matchLanguage(tag: string, offered: readonly string[]): string | undefined {
  const wanted = tag.trim().toLowerCase();
  const base = (name: string) => name.toLowerCase().split('-', 1)[0];
  return (
    offered.find((language) => language.toLowerCase() === wanted) ??
    offered.find((language) => base(language) === base(wanted))
  );
}

/** A language's name in itself: "Deutsch". */
export function ownName(language: string): string {
  const name = new Intl.DisplayNames(language, { type: 'language' }).of(language) ?? language;
  return name.charAt(0).toLocaleUpperCase(language) + name.slice(1);
}

type Wish = Readonly<Partial<Record<'asked' | 'cookie' | 'query' | 'acceptLanguage', unknown>>>;

/** The language of a request. Unknown values fall back silently, at last to the first language offered. */
export function chooseLanguage(
  { asked, cookie, query, acceptLanguage }: Wish,
  offered: readonly string[],
): string {
  for (const tag of [asked, cookie, query, ...accepted(acceptLanguage)]) {
    const language = typeof tag === 'string' ? matchLanguage(tag, offered) : undefined;
    if (language !== undefined) return language;
  }
  return offered[0] ?? SOURCE_LANGUAGE;
}

/** The tags of an Accept-Language header, the most wanted first (RFC 9110, 12.5.4). */
function accepted(header: unknown): string[] {
  if (typeof header !== 'string') return [];
  return header
    .split(',')
    .map((part) => {
      const [tag = '', quality] = part.split(/;\s*q=/i);
      return { tag, weight: quality === undefined ? 1 : Number(quality) };
    })
    .filter(({ weight }) => weight > 0)
    .toSorted((a, b) => b.weight - a.weight)
    .map(({ tag }) => tag);
}
