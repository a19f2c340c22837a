import { fold } from '#contract/folded.ts';

/** A part of a text, its start index, and whether the search found it. */
type Stretch = { readonly text: string; readonly from: number; readonly isMark: boolean };

type Letter = { readonly folded: string; readonly from: number; readonly to: number };

/** Characters between words, and characters that split one. `member_words` in the database uses the same. */
const between = /[\s,;()<>"]/;
const apart = /[.\-_+@'‐–/&·・]/;

const wordsOf = (search: string) =>
  fold(search)
    .split(/[\s,;()<>"]+/)
    .map((word) => word.replace(/^[.\-_+'‐–/&·・]+(?=.)/, ''))
    .filter(Boolean);

/** Each folded letter with its position; one that folds to nothing, such as an accent, joins the previous letter. */
function lettersOf(text: string): Letter[] {
  const letters: Letter[] = [];
  let from = 0;
  for (const character of text) {
    const to = from + character.length;
    const folded = fold(character);
    const before = letters.at(-1);
    if (folded === '' && before) letters[letters.length - 1] = { ...before, to };
    for (const letter of folded) letters.push({ folded: letter, from, to });
    from = to;
  }
  return letters;
}

export function markFound(text: string, search: string): Stretch[] {
  const words = wordsOf(search);
  if (words.length === 0) return [{ text, from: 0, isMark: false }];
  const letters = lettersOf(text);
  const starts = letters.flatMap(({ folded }, at) => {
    const before = letters[at - 1]?.folded ?? ' ';
    const isStart = between.test(before) || folded === '@' || (apart.test(before) && !apart.test(folded));
    return isStart ? [at] : [];
  });
  const positions = new Set<number>();
  for (const start of starts)
    for (const word of words) {
      const characters = Array.from(word);
      if (characters.every((letter, at) => letters[start + at]?.folded === letter))
        for (
          let at = letters[start]?.from ?? 0;
          at < (letters[start + characters.length - 1]?.to ?? 0);
          at += 1
        )
          positions.add(at);
    }
  const stretches: Stretch[] = [];
  for (let at = 0, from = 0; at < text.length; at += 1)
    if (at + 1 === text.length || positions.has(at) !== positions.has(at + 1)) {
      stretches.push({ text: text.slice(from, at + 1), from, isMark: positions.has(at) });
      from = at + 1;
    }
  return stretches;
}
