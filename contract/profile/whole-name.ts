/** Han, kana and Hangul, whose names put the family first. */
const FAMILY_FIRST = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}]/u;
const SUFFIX = /^(?:jr|sr|ii|iii|iv|ph\.? ?d|m\.?d|esq|mba)\.?$/i;

/** Takes a whole name apart: "Odell, Fiona" and "Fiona Odell". One that could be read in several ways stays whole. */
export function partsOfName(text: string) {
  const name = text
    .replace(/\s*\([^()]*\)\s*$/, '')
    .replace(/\s+/g, ' ')
    .trim();
  const [last = '', first = '', ...more] = name.split(',').map((part) => part.trim());
  if (last !== '' && first !== '' && more.length === 0 && !SUFFIX.test(first))
    return { firstName: first, lastName: last };
  const words = name.split(' ');
  if (words.length !== 2 || name.includes(',') || FAMILY_FIRST.test(name))
    return { firstName: name, lastName: '' };
  return { firstName: words[0] ?? '', lastName: words[1] ?? '' };
}
