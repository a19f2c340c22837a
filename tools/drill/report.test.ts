import { expect, test } from 'vitest';
import { withFigures } from './report.ts';
import type { Figure } from './scenario.ts';

const empty = `# Reliability

Words before.

<!-- figures of \`npm run drill\`, written by it -->

<!-- end of the figures -->

Words after.
`;
const figure = (id: Figure['id'], more: Partial<Figure> = {}): Figure => ({
  id,
  measured: 'nothing',
  passed: true,
  isWhole: true,
  command: `npm run drill -- ${id}`,
  ...more,
});
const on = new Date('2026-03-02T09:00:00Z');
const rowsOf = (text: string) =>
  text
    .split('\n')
    .flatMap((line) => /^\| ([A-Z]\d+) .*?\| (yes|in short|\*\*no\*\*) /.exec(line)?.slice(1) ?? []);

test('figures stand in order, with command, day and machine, and leave the words around them alone', () => {
  const text = withFigures(empty, [figure('R10'), figure('R2'), figure('L1')], on, 'a small box');
  expect(rowsOf(text)).toEqual(['L1', 'yes', 'R2', 'yes', 'R10', 'yes']);
  expect(text).toContain('| `npm run drill -- R2` | 2026-03-02, a small box | 50 a second: not tried |');
  expect(text).toMatch(/^# Reliability\n\nWords before\.\n/);
  expect(text).toMatch(/\n\nWords after\.\n$/);
});

test('a row that is measured again takes the place of its last measurement; the others stay', () => {
  const first = withFigures(empty, [figure('R1'), figure('R2')], on, 'a');
  const second = withFigures(first, [figure('R1', { passed: false, measured: 'one | two\nlost' })], on, 'b');
  expect(rowsOf(second)).toEqual(['R1', '**no**', 'R2', 'yes']);
  expect(second).toContain('| one \\| two lost |');
  expect(withFigures(second, [], on)).toBe(second);
});

test('what was measured for less than the goal says is told apart, and one no is a no', () => {
  const figures = [
    figure('R1', { isWhole: false }),
    figure('R18', { measured: 'one process' }),
    figure('R18', { measured: 'two', passed: false }),
    figure('R17'),
    figure('R17', { isWhole: false }),
  ];
  const text = withFigures(empty, figures, on, 'a');
  expect(rowsOf(text)).toEqual(['R1', 'in short', 'R17', 'in short', 'R18', '**no**']);
  expect(text).toContain('| one process; two |');
});

test.for([
  { what: 'as it has none', id: 'R9', stretched: true, told: '' },
  { what: 'nobody knows of', id: 'R6', told: '≤ 3 s: not tried' },
  { what: 'was reached', id: 'R6', stretched: true, told: '≤ 3 s: yes' },
  { what: 'was reached in short', id: 'R6', stretched: true, isWhole: false, told: '≤ 3 s: in short' },
  { what: 'was missed', id: 'R6', stretched: false, told: '≤ 3 s: no' },
  { what: 'is none by what failed', id: 'R6', stretched: true, passed: false, told: '≤ 3 s: no' },
] as const)('a stretch mark is told, one that $what', ({ id, told, what: _, ...more }) => {
  expect(withFigures(empty, [figure(id, more)], on, 'a')).toContain(`| 2026-03-02, a | ${told} |\n`);
});

test('a stretch mark that is measured in parts holds where all hold that tell', () => {
  const parts = [figure('R16'), figure('R16', { stretched: true })];
  expect(withFigures(empty, parts, on, 'a')).toContain('to a point in time: yes');
  const missed = [...parts, figure('R16', { stretched: false })];
  expect(withFigures(empty, missed, on, 'a')).toContain('to a point in time: no');
});

test('a report without a place for figures is not written over', () => {
  expect(() => withFigures('# Something else', [figure('R1')], on)).toThrow('the report needs the lines');
});
