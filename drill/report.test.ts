import { expect, test } from 'vitest';
import type { Row } from './goals.ts';
import { withFigures } from './report.ts';
import type { Figure } from './scenario.ts';

const empty = `# Reliability

Words before.

<!-- figures of \`npm run drill\`, written by it -->

<!-- end of the figures -->

Words after.
`;
const figure = (id: Row, more: Partial<Figure> = {}): Figure => ({
  ids: [id],
  summary: 'nothing',
  passes: true,
  isWhole: true,
  options: '',
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
    [figure('R16'), figure('R2', { options: '--rate 50' }), figure('L1')],
    on,
    'a small box',
  );
  expect(rowsOf(text)).toEqual(['L1', 'yes', 'R2', 'yes', 'R16', 'yes']);
  expect(text).toContain('| yes | `--rate 50`, 2026-03-02, a small box |');
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

test('a measurement below the goal’s size is marked, and rows measured together share one text', () => {
  const figures = [
    figure('R1', { isWhole: false }),
    figure('L4', { ids: ['L4', 'R5'], summary: 'ten kills', passes: false }),
  ];
  const text = withFigures(empty, figures, on, 'a');
  expect(rowsOf(text)).toEqual(['L4', '**no**', 'R1', 'in short', 'R5', '**no**']);
  expect(text).toMatch(/\| L4 .*\| ten kills \|/);
  expect(text).toMatch(/\| R5 .*\| as L4 \|/);
});

test('a report without the marker lines is not overwritten', () => {
  expect(() => withFigures('# Something else', [figure('R1')], on)).toThrow('the report needs the lines');
});
