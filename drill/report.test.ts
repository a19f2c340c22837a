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
    .flatMap((line) => /^\| ([A-Z]\d+) .*?\| (yes|in short|\*\*no\*\*)[; ]/.exec(line)?.slice(1) ?? []);

test('figures are in order, with options, day and machine, and the text around them stays', () => {
  const text = withFigures(
    empty,
    [
      figure('R10'),
      figure('R2', { command: 'npm run drill -- R2 --full --rate 50', stretched: true }),
      figure('L1'),
    ],
    on,
    'a small box',
  );
  expect(rowsOf(text)).toEqual(['L1', 'yes', 'R2', 'yes', 'R10', 'yes']);
  expect(text).toContain('| yes; 50 a second: yes | `--rate 50`, 2026-03-02, a small box |');
  expect(text).toMatch(/^# Reliability\n\nWords before\.\n/);
  expect(text).toMatch(/\n\nWords after\.\n$/);
});

test('a new measurement replaces the row’s last one, and other rows stay', () => {
  const first = withFigures(empty, [figure('R1'), figure('R2')], on, 'a');
  const second = withFigures(first, [figure('R1', { passed: false, measured: 'one | two\nlost' })], on, 'b');
  expect(rowsOf(second)).toEqual(['R1', '**no**', 'R2', 'yes']);
  expect(second).toContain('| one \\| two lost |');
  expect(withFigures(second, [], on)).toBe(second);
});

test('a measurement below the goal’s size is marked, and one failed part fails the row', () => {
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
  { what: 'does not exist', id: 'R9', stretched: true, told: 'yes' },
  { what: 'is unknown', id: 'R6', told: 'yes' },
  { what: 'was reached', id: 'R6', stretched: true, told: 'yes; ≤ 3 s: yes' },
  {
    what: 'was reached in short',
    id: 'R6',
    stretched: true,
    isWhole: false,
    told: 'in short; ≤ 3 s: in short',
  },
  { what: 'was missed', id: 'R6', stretched: false, told: 'yes; ≤ 3 s: no' },
  {
    what: 'is missed because the row failed',
    id: 'R6',
    stretched: true,
    passed: false,
    told: '**no**; ≤ 3 s: no',
  },
] as const)('the verdict is right for a mark that $what', ({ id, told, what: _, ...more }) => {
  expect(withFigures(empty, [figure(id, more)], on, 'a')).toContain(`| ${told} | 2026-03-02, a |\n`);
});

test('a stretch mark measured in parts holds if all known parts hold', () => {
  const parts = [figure('R16'), figure('R16', { stretched: true })];
  expect(withFigures(empty, parts, on, 'a')).toContain('to a point in time: yes');
  const missed = [...parts, figure('R16', { stretched: false })];
  expect(withFigures(empty, missed, on, 'a')).toContain('to a point in time: no');
});

test('rows measured together share one text', () => {
  const measured = 'ten kills, nothing lost';
  const text = withFigures(empty, [figure('R5', { measured }), figure('L4', { measured })], on, 'a');
  expect(text).toMatch(/\| L4 .*\| ten kills, nothing lost \|/);
  expect(text).toMatch(/\| R5 .*\| as L4 \|/);
});

test('a report without the marker lines is not overwritten', () => {
  expect(() => withFigures('# Something else', [figure('R1')], on)).toThrow('the report needs the lines');
});
