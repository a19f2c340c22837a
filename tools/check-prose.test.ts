import { expect, test } from 'vitest';
import { checkProse } from './check-prose.ts';

const linesOf = (file: string, text: string) => checkProse(new Map([[file, text]])).map(({ line }) => line);

test.for([
  ['a.ts', '// Who comes late waits.', [1]],
  ['a.ts', '// A lock. What it holds\n// stays. Whose turn it is, is told.', [1, 2]],
  ['a.ts', '/**\n * Whoever asks is told.\n */', [2]],
  ['a.ts', '/** Rows: What is free stays free. */', [1]],
  ['a.tsx', 'const a = <b>{/* What the page shows. */}</b>;', [1]],
  ['a.test.ts', "test('who is gone is not listed', () => {});", [1]],
  ['a.e2e.ts', "  test('a', () => {});\ntest.each([1])('what %s does', () => {});", [2]],
  ['a.css', 'a { /* Whatever is wide wraps. */ }', [1]],
  ['a.md', '# Title\n\nGood. Whoever\nreads.\n\n- Who asks, waits.\n\n| a | what b does |\n', [3, 6, 8]],
  ['a.md', '**What holds** is told.', [1]],
] as const)('%s %o is found', ([file, text, lines]) => {
  expect(linesOf(file, text)).toEqual(lines);
});

test.for([
  ['a.ts', '// What does it cost? The row says who asked, and what they saw.'],
  ['a.ts', "const text = 'Who comes late waits.';"],
  ['a.ts', '// Whole rows only.'],
  ['a.md', '```\nWhat is code\n```\nThe `Who` type; what it holds is the caller.'],
] as const)('%s %o reads well', ([file, text]) => {
  expect(linesOf(file, text)).toEqual([]);
});
