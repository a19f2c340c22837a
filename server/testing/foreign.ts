import { product } from '#contract/product.ts';

const rules = {
  // Dates and lists come from `Intl`, which writes them in English.
  'en-XA': {
    own: /\b(?:or|\d{1,2} [A-Z][a-z]{2,8} \d{4})\b/g,
    foreign: /[a-z\u202E\u0600-\u06FF][^\s\u202C]*/gi,
  },
  'ar-XB': { own: /\u202E[^\u202C]*\u202C/g, foreign: /[a-zÀ-ɏḀ-ỿ][^\s\u202E]*/gi },
} as const;
export type PseudoLanguage = keyof typeof rules;
export const pseudoLanguages = Object.keys(rules) as PseudoLanguage[];

/** The time zone, and addresses of all kinds. */
const values = ['UTC', /https?:\/\/\S+/g, /\S+@\S+/g, /\S+\.example\b|localhost:\d+/g];

/** The words of a text that its pseudo-language did not write. */
export function foreignWords(language: PseudoLanguage, text: string): string[] {
  const { own, foreign } = rules[language];
  // Mails break addresses up, and right-to-left languages isolate values.
  const plain = text.replaceAll(/[\u200B\u2068\u2069]/g, '');
  return (
    [product.name, ...values, own]
      .reduce<string>((rest, value) => rest.replaceAll(value, ''), plain)
      .match(foreign) ?? []
  );
}

/** The visible text of HTML. */
export const visibleText = (html: string) =>
  html.replaceAll('&amp;', '&').replaceAll(/<style>[^]*?<\/style>|<[^>]+>|&#?\w+;/g, ' ');
