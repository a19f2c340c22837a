import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { goals } from './goals.ts';
import type { Figure } from './scenario.ts';

const BEGIN = '<!-- figures of `npm run drill`, written by it -->';
const END = '<!-- end of the figures -->';
const COLUMNS = ['Row', 'Goal', 'Measured', 'Passed', 'Run'] as const;

const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ').trim();
const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;

const inOrder = (a: string, b: string) =>
  a.charCodeAt(0) - b.charCodeAt(0) || Number.parseInt(a.slice(1), 10) - Number.parseInt(b.slice(1), 10);

/** The machine, because figures of different machines are not comparable. */
const machine = () => `${cpus().length}×${processorName(cpus()[0]?.model)}`;
const processorName = (model = 'unknown') =>
  model.replaceAll(/\((?:R|TM)\)|@.*|\b(?:AMD|CPU|Intel|Processor)\b/g, '').trim();

/** How a figure was measured: options besides `--full`, day and machine. */
const runOf = ({ options }: Figure, on: Date, machineName: string) =>
  [options && `\`${options}\``, on.toISOString().slice(0, 10), machineName].filter(Boolean).join(', ');

const verdict = ({ passes, isWhole }: Figure) => (passes ? (isWhole ? 'yes' : 'in short') : '**no**');

/** The text with these figures in its table; a new figure replaces the row's last one. */
export function withFigures(
  text: string,
  figures: readonly Figure[],
  on: Date,
  machineName = machine(),
): string {
  const [from, to] = [text.indexOf(BEGIN), text.indexOf(END)];
  if (from < 0 || to < from) throw new Error(`the report needs the lines "${BEGIN}" and "${END}"`);
  const rows = new Map<string, string>();
  for (const row of text.slice(from, to).split('\n')) {
    const id = /^\| ([A-Z]\d+)\b/.exec(row)?.[1];
    if (id) rows.set(id, row);
  }
  for (const figure of figures)
    for (const [nth, id] of figure.ids.entries()) {
      // Rows measured together have the same text, so later ones only name the first.
      const text = nth === 0 ? figure.summary : `as ${figure.ids[0]}`;
      rows.set(id, line([id, goals[id], text, verdict(figure), runOf(figure, on, machineName)].map(cell)));
    }
  const table = [
    line(COLUMNS),
    line(COLUMNS.map(() => '---')),
    ...[...rows].toSorted(([a], [b]) => inOrder(a, b)).map(([, row]) => row),
  ];
  return `${text.slice(0, from)}${BEGIN}\n\n${table.join('\n')}\n\n${text.slice(to)}`;
}

export function writeReport(file: string, figures: readonly Figure[], on = new Date()) {
  writeFileSync(file, withFigures(readFileSync(file, 'utf8'), figures, on));
  // The formatter aligns the columns.
  spawnSync('oxfmt', [file]);
}
