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
  summary: 'nothing',
  passes: true,
  isWhole: true,
  command: `npm run drill -- ${id}`,
  ...more,
});
const on = new Date('2026-03-02T09:00:00Z');
const rowsOf = (text: string) =>
  text
    .split('\n')
    .flatMap((line) => /^\| ([A-Z]\d+) .*?\| (yes|in short|\*\*no\*\*)[; ]/.exec(line)?.slice(1) ?? []);

test('figures are in order, with options, day and machine, and the text around them stays', () => {
  const text = withFigures(
    empty,
    [
      figure('R16'),
      figure('R2', { command: 'npm run drill -- R2 --full --rate 50', reachesStretch: true }),
      figure('L1'),
    ],
    on,
    'a small box',
  );
  expect(rowsOf(text)).toEqual(['L1', 'yes', 'R2', 'yes', 'R16', 'yes']);
  expect(text).toContain('| yes; 50 a second: yes | `--rate 50`, 2026-03-02, a small box |');
  expect(text).toMatch(/^# Reliability\n\nWords before\.\n/);
  expect(text).toMatch(/\n\nWords after\.\n$/);
});

test('a new measurement replaces the row’s last one, and other rows stay', () => {
  const first = withFigures(empty, [figure('R1'), figure('R2')], on, 'a');
  const second = withFigures(first, [figure('R1', { passes: false, summary: 'one | two\nlost' })], on, 'b');
  expect(rowsOf(second)).toEqual(['R1', '**no**', 'R2', 'yes']);
  expect(second).toContain('| one \\| two lost |');
  expect(withFigures(second, [], on)).toBe(second);
});

test('a measurement below the goal’s size is marked, and one failed part fails the row', () => {
  const figures = [
    figure('R1', { isWhole: false }),
    figure('R18', { summary: 'one process' }),
    figure('R18', { summary: 'two', passes: false }),
    figure('R7'),
    figure('R7', { isWhole: false }),
  ];
  const text = withFigures(empty, figures, on, 'a');
  expect(rowsOf(text)).toEqual(['R1', 'in short', 'R7', 'in short', 'R18', '**no**']);
  expect(text).toContain('| one process; two |');
});

test.for([
  { what: 'does not exist', id: 'L1', reachesStretch: true, expected: 'yes' },
  { what: 'is unknown', id: 'R6', expected: 'yes' },
  { what: 'was reached', id: 'R6', reachesStretch: true, expected: 'yes; ≤ 3 s: yes' },
  {
    what: 'was reached in short',
    id: 'R6',
    reachesStretch: true,
    isWhole: false,
    expected: 'in short; ≤ 3 s: in short',
  },
  { what: 'was missed', id: 'R6', reachesStretch: false, expected: 'yes; ≤ 3 s: no' },
  {
    what: 'is missed because the row failed',
    id: 'R6',
    reachesStretch: true,
    passes: false,
    expected: '**no**; ≤ 3 s: no',
  },
] as const)('the verdict is right for a mark that $what', ({ id, expected, what: _, ...more }) => {
  expect(withFigures(empty, [figure(id, more)], on, 'a')).toContain(`| ${expected} | 2026-03-02, a |\n`);
});

test('a stretch mark measured in parts holds if all known parts hold', () => {
  const parts = [figure('R16'), figure('R16', { reachesStretch: true })];
  expect(withFigures(empty, parts, on, 'a')).toContain('to a point in time: yes');
  const withMiss = [...parts, figure('R16', { reachesStretch: false })];
  expect(withFigures(empty, withMiss, on, 'a')).toContain('to a point in time: no');
});

test('rows measured together share one text', () => {
  const summary = 'ten kills, nothing lost';
  const text = withFigures(empty, [figure('R5', { summary }), figure('L4', { summary })], on, 'a');
  expect(text).toMatch(/\| L4 .*\| ten kills, nothing lost \|/);
  expect(text).toMatch(/\| R5 .*\| as L4 \|/);
});

test('a report without the marker lines is not overwritten', () => {
  expect(() => withFigures('# Something else', [figure('R1')], on)).toThrow('the report needs the lines');
});
