import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { goals, stretchOf } from './goals.ts';
import type { Figure } from './scenario.ts';

const BEGIN = '<!-- figures of `npm run drill`, written by it -->';
const END = '<!-- end of the figures -->';
const COLUMNS = ['Row', 'Goal', 'Measured', 'Passed', 'Command', 'Date', 'Stretch'] as const;

const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ').trim();
const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;

/** Sorted by their letter, then by their number. */
const inOrder = (a: string, b: string) =>
  a.charCodeAt(0) - b.charCodeAt(0) || Number.parseInt(a.slice(1), 10) - Number.parseInt(b.slice(1), 10);

/** What ran it: figures of one machine say little of another. */
const machine = () =>
  `${cpus().length} × ${cpus()[0]?.model.trim() ?? 'unknown'}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.versions.node}`;

/** One figure a row: what was measured on one process and on two stands side by side. */
const joined = (figures: readonly Figure[]) =>
  [...Map.groupBy(figures, ({ id }) => id).values()].flatMap((all) =>
    all.slice(0, 1).map((first) => ({
      ...first,
      measured: all.map(({ measured }) => measured).join('; '),
      passed: all.every(({ passed }) => passed),
      isWhole: all.every(({ isWhole }) => isWhole),
      stretched: allTrue(all.flatMap(({ stretched }) => stretched ?? [])),
    })),
  );
const allTrue = (known: readonly boolean[]) => (known.length === 0 ? undefined : known.every(Boolean));

const verdict = (holds: boolean, isWhole: boolean, no = 'no') => {
  if (!holds) return no;
  return isWhole ? 'yes' : 'in short';
};

/** The stretch mark and whether it was reached: by what missed the pass mark it was not. */
function stretch({ id, passed, isWhole, stretched }: Figure): string {
  const mark = stretchOf(id);
  if (mark === undefined) return '';
  return `${mark}: ${stretched === undefined ? 'not tried' : verdict(passed && stretched, isWhole)}`;
}

/** The text with these figures in its table: a row that was measured again takes the place of its last measurement. */
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
  for (const figure of joined(figures)) {
    const { id, measured, passed, isWhole, command } = figure;
    const day = `${on.toISOString().slice(0, 10)}, ${machineName}`;
    rows.set(
      id,
      line([
        id,
        cell(goals[id].pass),
        cell(measured),
        verdict(passed, isWhole, '**no**'),
        `\`${command}\``,
        cell(day),
        cell(stretch(figure)),
      ]),
    );
  }
  const table = [
    line(COLUMNS),
    line(COLUMNS.map(() => '---')),
    ...[...rows].toSorted(([a], [b]) => inOrder(a, b)).map(([, row]) => row),
  ];
  return `${text.slice(0, from)}${BEGIN}\n\n${table.join('\n')}\n\n${text.slice(to)}`;
}

const opening = `# Reliability

What the portal is measured to stand: \`npm run drill\` starts all that it takes on loopback, breaks it, and writes what came
of it here. Rows L are faults, M abuse of the protocol, R figures under load ([security.md](security.md) has them all); a row that has
not been measured is not here. One that passed "in short" was measured less often or less long than its goal says, and \`--full\`
measures it whole. A stretch mark is more than the goal asks, such as twice the load; the last column tells whether the same
measurement reached it, where it could tell; \`--rounds\`, \`--minutes\` and \`--rate\` measure as much as it asks.

${BEGIN}

${END}
`;

/** Writes the figures into the report. */
export function writeReport(file: string, figures: readonly Figure[], on = new Date()) {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : opening;
  writeFileSync(file, withFigures(text, figures, on));
  // The formatter lines the columns up.
  spawnSync('oxfmt', [file]);
}
