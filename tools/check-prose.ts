// Finds sentences that begin with "Who" or "What" as a clause ("Who comes late waits"): readers take them for questions.
import { parseSync } from 'vite';
import { type Finding, findingAt } from './imports.ts';

interface Passage {
  start: number;
  text: string;
}

export function checkProse(files: ReadonlyMap<string, string>): Finding[] {
  return [...files].flatMap(([file, text]) =>
    passagesOf(file, text).flatMap((passage) =>
      sentencesOf(passage)
        .filter(({ text: sentence }) => isRiddle(sentence))
        .map(({ start, text: sentence }) =>
          findingAt(
            file,
            text,
            start,
            `"${sentence.slice(0, 40)}": name the person or the thing that it is about.`,
          ),
        ),
    ),
  );
}

function passagesOf(file: string, text: string): Passage[] {
  if (/\.(ts|tsx|mjs)$/.test(file)) {
    const comments = parseSync(file, text).comments.map(({ start, end }) => ({
      start,
      text: text.slice(start, end),
    }));
    return [...joinLines(comments, text), ...titlesIn(file, text)];
  }
  if (/\.(css|html)$/.test(file)) return matches(text, /\/\*.*?\*\/|<!--.*?-->/gs);
  if (file.endsWith('.md'))
    return matches(blankCode(text), /[^\s|](?:[^|\n]|\n(?!\s*(?:[-*|#>]|\d+\. |\n)))*/g);
  return [];
}

const matches = (text: string, pattern: RegExp): Passage[] =>
  [...text.matchAll(pattern)].map((match) => ({ start: match.index, text: match[0] }));

/** Comments of one line each that follow one another are one passage. */
function joinLines(comments: readonly Passage[], text: string): Passage[] {
  const passages: Passage[] = [];
  for (const comment of comments) {
    const last = passages.at(-1);
    const between = last && text.slice(last.start + last.text.length, comment.start);
    if (last?.text.startsWith('//') && /^\n[ \t]*$/.test(between ?? ''))
      last.text = text.slice(last.start, comment.start + comment.text.length);
    else passages.push({ ...comment });
  }
  return passages;
}

const titlesIn = (file: string, text: string) =>
  /\.(test|e2e)\.tsx?$/.test(file)
    ? [...text.matchAll(/^\s*(?:test|describe)\b[^'"`\n]*(['"`])(.*?)\1/gm)].map((match) => ({
        start: match.index + match[0].length,
        text: match[2] ?? '',
      }))
    : [];

/** Replaces code by text of the same length, so that positions still fit. */
const blankCode = (text: string) =>
  text.replaceAll(/```.*?```|`[^`\n]*`/gs, (code) => code.replaceAll(/[^\n]/g, 'x'));

function sentencesOf({ start, text }: Passage): Passage[] {
  // The marks of a comment or a list are no words.
  const words = text.replaceAll(/^[ \t]*(?:\/\/|\/\*\*?|\*\/?|<!--|[-*>#]+ |\d+\. )/gm, (mark) =>
    ' '.repeat(mark.length),
  );
  return [...words.matchAll(/[^\s*_"“(].*?(?:[.!?](?=[\s*_)"”]|$)|:(?=\s+[A-Z])|\n\s*\n|$)/gs)].map(
    (match) => ({
      start: start + match.index,
      text: match[0].replaceAll(/\s+/g, ' ').trim(),
    }),
  );
}

const isRiddle = (sentence: string) =>
  /^(?:who|whoever|whose|what|whatever)\b/i.test(sentence) && !sentence.endsWith('?');
