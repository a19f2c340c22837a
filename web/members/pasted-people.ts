import { isFamilyFirst } from '#contract/profile/person-name.ts';
import { plain } from '#contract/split-by-bytes/field-parts.ts';
import { NAME_MAX_CHARACTERS } from '#contract/limits.ts';

export type PastedPerson = {
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
  readonly repeated?: true;
};

/** Marks around an address or name, such as `<a@b>`, `(Tom)` or `"Tom"`. */
const marks = /^[<("'[]+|[>)"'\],.]+$/g;
const clean = (word: string) => word.replace(marks, '').replace(/^mailto:/i, '');

/** Entries without an address are kept as text, so that they show as invalid. Repeated addresses are marked. */
export function peopleIn(text: string): PastedPerson[] {
  const addresses = new Set<string>();
  return entriesIn(text)
    .flatMap(peopleOf)
    .map((person) => {
      const key = person.email.toLowerCase();
      if (addresses.has(key)) return { ...person, repeated: true };
      addresses.add(key);
      return person;
    });
}

/** At commas, semicolons and line ends outside quotes. `Berg, Tom <tom@…>` is one entry, `"Berg, Tom" <tom@…>`. */
function entriesIn(text: string): string[] {
  const pieces = text.match(/(?:"[^"\n]*"|[^",;\n]|")+|[,;\n]/g) ?? [];
  const entries: string[] = [];
  for (let at = 0; at < pieces.length; at += 1) {
    const [piece = '', separator, next = ''] = pieces.slice(at, at + 3);
    const isSurname =
      separator === ',' &&
      !piece.includes('@') &&
      piece.trim() !== '' &&
      /^\s*[^<@"\s][^<@"]*<[^<]*@/.test(next);
    if (isSurname) at += 2;
    entries.push(isSurname ? next.replace(/([^<]*)</, `"${piece},$1" <`) : piece);
  }
  return entries.map((entry) => entry.trim()).filter((entry) => !/^[,;]?$/.test(entry));
}

function peopleOf(entry: string): PastedPerson[] {
  const words = entry.split(/\s+/);
  const addresses = words.filter((word) => plain(word).includes('@'));
  const [email] = addresses;
  if (email === undefined) return [{ firstName: entry, lastName: '', email: entry }];
  if (addresses.length > 1) return addresses.map((address) => personFrom('', clean(plain(address))));
  const quoted = /"([^"]*)"/.exec(entry)?.[1];
  const name = quoted ?? words.filter((word) => word !== email).join(' ');
  return [personFrom(name, clean(plain(email)))];
}

/** `Berg, Tom` has its family name first, and so has `森 愛子`. */
function partsOf(name: string): [first: string, last: string] {
  const [family = '', given] = name.split(/,(.*)/su);
  if (given !== undefined) return [given, family];
  const [first = '', ...rest] = name.trim().split(/\s+/);
  return isFamilyFirst(first) && rest.length > 0 ? [rest.join(' '), first] : [first, rest.join(' ')];
}

/** Cut to the length of its fields. Without a name it comes from the address: `tom.berg@…` is Tom Berg. */
function personFrom(name: string, email: string): PastedPerson {
  const local = email.slice(0, email.lastIndexOf('@'));
  const derived = local
    .replace(/\+.*/, '')
    .split(/[._-]+/)
    .filter((word) => /\p{L}/u.test(word))
    .map(capital);
  const written = partsOf(name).map(fitting);
  const [first = '', last = ''] = written.some(Boolean) ? written : partsOf(derived.join(' ')).map(fitting);
  const fit = (part: string) => part.slice(0, NAME_MAX_CHARACTERS);
  return { firstName: fit(first || last || local), lastName: fit(first && last), email };
}

/** Removes marks around words, and characters that the rule for names forbids. */
const fitting = (part: string) =>
  part
    .split(/\s+/)
    .map((word) => clean(word).replace(/["<>'\p{Cc}\p{Cf}]+/gu, ''))
    .filter(Boolean)
    .join(' ');
const capital = (word: string) => word.replace(/^./u, (letter) => letter.toUpperCase());
