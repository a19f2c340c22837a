// Makes languages for tests from English. A text without their signs comes from outside the catalogs.
import { TYPE } from '@formatjs/icu-messageformat-parser';
import { printAST } from '@formatjs/icu-messageformat-parser/printer.js';
import { formsOf } from './check.ts';
import { type Catalog, type Message, catalogOf, messageOf } from './messages.ts';

const PLAIN = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
const ACCENTED = 'åƀçðéƒĝĥîĵķļɱñöþɋŕšţûṽŵẋýžÅƁÇÐÉƑĜĤÎĴĶĻṀÑÖÞɊŔŠŢÛṼŴẊÝŽ';

const styles = {
  /** English with accents and double letters, about 40 % longer. Brackets show whether a text is whole. */
  'en-XA': {
    locale: 'en-GB',
    written: (words: string) =>
      words
        .replaceAll(/[aeiouns]/gi, '$&$&')
        .replaceAll(/[a-z]/gi, (letter) => ACCENTED.charAt(PLAIN.indexOf(letter))),
    edges: ['[', ']'],
  },
  /** English from right to left: each word is overridden, so it shows mirrored. */
  'ar-XB': {
    locale: 'ar-XB',
    written: (words: string) => words.replaceAll(/[a-z]+/gi, '\u202E$&\u202C'),
    edges: ['', ''],
  },
} as const;
type Pseudo = keyof typeof styles;

/** The file of a pseudo-language. It is a draft, so the portal does not offer it by itself. */
export function pseudoArb(language: Pseudo, english: Catalog): string {
  const { locale, written, edges } = styles[language];
  const rewritten = (message: Message): Message =>
    message.map((part) => {
      if (part.type === TYPE.literal) return { type: part.type, value: written(part.value) };
      if (part.type === TYPE.tag) return { ...part, children: [...rewritten(part.children)] };
      if (part.type !== TYPE.plural && part.type !== TYPE.select) return part;
      const names = Object.keys(part.options).filter(
        (name) => part.type === TYPE.select || name.startsWith('='),
      );
      const forms = part.type === TYPE.plural ? [...names, ...formsOf(locale)] : names;
      const branch = (name: string) => part.options[name] ?? part.options['other'];
      return {
        ...part,
        options: Object.fromEntries(
          forms.map((name) => [name, { value: [...rewritten(branch(name)?.value ?? [])] }]),
        ),
      };
    });
  const texts = [...english.texts].map(([key, text]) => {
    const [begin, end] = edges;
    return [key, begin + printAST([...rewritten(messageOf(text))]) + end];
  });
  return JSON.stringify({ '@@locale': locale, '@@x-state': 'draft', ...Object.fromEntries(texts) });
}

export const pseudoCatalogs = (english: Catalog): Catalog[] =>
  (Object.keys(styles) as Pseudo[]).map((language) => catalogOf(language, pseudoArb(language, english)));
