import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { goals, stretchOf } from './goals.ts';
import type { Figure } from './scenario.ts';

const BEGIN = '<!-- figures of `npm run drill`, written by it -->';
const END = '<!-- end of the figures -->';
const COLUMNS = ['Row', 'Goal', 'Measured', 'Passed', 'Run'] as const;

const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ').trim();
const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;

/** Sorts by letter, then by number. */
const inOrder = (a: string, b: string) =>
  a.charCodeAt(0) - b.charCodeAt(0) || Number.parseInt(a.slice(1), 10) - Number.parseInt(b.slice(1), 10);

/** The machine, because figures of different machines are not comparable. */
const machine = () => `${cpus().length}×${processorName(cpus()[0]?.model)}`;
const processorName = (model = 'unknown') =>
  model.replaceAll(/\((?:R|TM)\)|@.*|\b(?:AMD|CPU|Intel|Processor)\b/g, '').trim();

/** How a figure was measured: options besides `--full`, day and machine. */
const runOf = ({ id, command }: Figure, on: Date, machineName: string) => {
  const options = command.replace(`npm run drill -- ${id}`, '').replace('--full', '').trim();
  return [options && `\`${options}\``, on.toISOString().slice(0, 10), machineName].filter(Boolean).join(', ');
};

/** Rows measured together often have the same text: later rows only name the first. */
function withoutRepeats(figures: readonly Figure[]): Figure[] {
  const firstOf = new Map<string, string>();
  return figures
    .toSorted((a, b) => inOrder(a.id, b.id))
    .map((figure) => {
      const first = figure.summary.includes(' ') && firstOf.get(figure.summary);
      if (first) return { ...figure, summary: `as ${first}` };
      firstOf.set(figure.summary, figure.id);
      return figure;
    });
}

/** Joins the figures of one process and of two into one per row. */
const joinSites = (figures: readonly Figure[]) =>
  [...Map.groupBy(figures, ({ id }) => id).values()].flatMap((all) =>
    all.slice(0, 1).map((first) => ({
      ...first,
      summary: all.map(({ summary }) => summary).join('; '),
      passes: all.every(({ passes }) => passes),
      isWhole: all.every(({ isWhole }) => isWhole),
      reachesStretch: allTrue(all.flatMap(({ reachesStretch }) => reachesStretch ?? [])),
    })),
  );
const allTrue = (known: readonly boolean[]) => (known.length === 0 ? undefined : known.every(Boolean));

const verdict = (holds: boolean, isWhole: boolean, no = 'no') => {
  if (!holds) return no;
  return isWhole ? 'yes' : 'in short';
};

/** The stretch goal and whether it was reached; a failed row never reaches it. */
function stretch({ id, passes, isWhole, reachesStretch }: Figure): string {
  const mark = stretchOf(id);
  if (mark === undefined || reachesStretch === undefined) return '';
  return `; ${mark}: ${verdict(passes && reachesStretch, isWhole)}`;
}

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
  for (const figure of withoutRepeats(joinSites(figures))) {
    const { id, summary, passes, isWhole } = figure;
    rows.set(
      id,
      line([
        id,
        cell(goals[id].pass),
        cell(summary),
        cell(verdict(passes, isWhole, '**no**') + stretch(figure)),
        cell(runOf(figure, on, machineName)),
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

\`npm run drill\` starts the portal with all its parts on loopback, breaks it under load, and writes the results here.
[security.md](security.md) describes rows M. \`npm run drill -- L1 --full\` repeats a row; "Run" lists further options.

${BEGIN}

${END}
`;

export function writeReport(file: string, figures: readonly Figure[], on = new Date()) {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : opening;
  writeFileSync(file, withFigures(text, figures, on));
  // The formatter aligns the columns.
  spawnSync('oxfmt', [file]);
}
