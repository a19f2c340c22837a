import { NAME_MAX_CHARACTERS } from '#contract/limits.ts';

/** Somebody as a pasted line names them; whether the address is one is the call's own rule to say. */
export type PastedPerson = {
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
  /** Stood further up already. */
  readonly repeated?: true;
};

/** Marks around an address or name, such as `<a@b>`, `(Tom)` or `"Tom"`. */
const marks = /^[<("'[]+|[>)"'\],.]+$/g;
const clean = (word: string) => word.replace(marks, '').replace(/^mailto:/i, '');

/**
 * The people in a text from a mail or a spreadsheet: addresses between commas, semicolons or lines, perhaps with a name
 * before or after. What holds no address stands as it was written, to be shown as not understood, and so does what stood further up already.
 */
export function peopleIn(text: string): PastedPerson[] {
  const met = new Set<string>();
  return entriesIn(text)
    .flatMap(peopleOf)
    .map((person) => {
      const key = person.email.toLowerCase();
      if (met.has(key)) return { ...person, repeated: true };
      met.add(key);
      return person;
    });
}

/** Cut at commas, semicolons and line ends outside quotes; `Berg, Tom <tom@…>` is one entry, its name turned round. */
function entriesIn(text: string): string[] {
  const pieces = text.match(/(?:"[^"\n]*"|[^",;\n]|")+|[,;\n]/g) ?? [];
  const entries: string[] = [];
  for (let at = 0; at < pieces.length; at += 1) {
    const [piece = '', cut, next = ''] = pieces.slice(at, at + 3);
    const isSurname =
      cut === ',' && !piece.includes('@') && piece.trim() !== '' && /^\s*[^<@"\s][^<@"]*<[^<]*@/.test(next);
    if (isSurname) at += 2;
    entries.push(isSurname ? next.replace('<', `${piece.trim()} <`) : piece);
  }
  return entries.map((entry) => entry.trim()).filter((entry) => !/^[,;]?$/.test(entry));
}

function peopleOf(entry: string): PastedPerson[] {
  const words = entry.split(/\s+/);
  const addresses = words.filter((word) => word.includes('@'));
  const [email] = addresses;
  if (email === undefined) return [{ firstName: entry, lastName: '', email: entry }];
  if (addresses.length > 1) return addresses.map((address) => named([], clean(address)));
  const quoted = /"([^"]*)"/.exec(entry)?.[1];
  const name = quoted ?? words.filter((word) => word !== email).join(' ');
  return [named(turned(name).split(/\s+/), clean(email))];
}

/** `Berg, Tom` as people say it. */
const turned = (name: string) => {
  const [last = '', first] = name.split(',');
  return first === undefined ? last : `${first} ${last}`;
};

/** The name as far as a field takes it; where there is none, the address has one: `tom.berg@…` is Tom Berg. */
function named(words: readonly string[], email: string): PastedPerson {
  const said = words.map(clean).map(plain).filter(Boolean);
  const local = email.slice(0, email.lastIndexOf('@'));
  const made = local
    .replace(/\+.*/, '')
    .split(/[._-]+/)
    .filter((word) => /\p{L}/u.test(word));
  const [first = local, ...rest] = said.length > 0 ? said : made.map(plain).map(capital);
  const fit = (name: string) => name.slice(0, NAME_MAX_CHARACTERS);
  return { firstName: fit(first), lastName: fit(rest.join(' ')), email };
}

/** Without what the rule for names does not take. */
const plain = (word: string) => word.replace(/["<>'\p{Cc}\p{Cf}]+/gu, '');
const capital = (word: string) => word.replace(/^./u, (letter) => letter.toUpperCase());
