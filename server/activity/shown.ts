import * as z from 'zod/mini';
import { type AuditLog, auditLog } from '#contract/activity/calls.ts';
import {
  actionLabel,
  detailsOf,
  moduleLabel,
  originText,
  plainSentence,
  tell,
  typeLabel,
} from '#contract/activity/words.ts';
import { activityColumnsText } from '#words/activity-columns.ts';
import { spokenLanguage } from '#words/language.ts';
import { csvLine, csvSeparatorIn, visibleJson } from './rules.ts';

// Rows of the log as people and files show them.

export type Names = Readonly<Record<string, string>>;
export type Batch = { readonly rows: readonly AuditLog[]; readonly names: Names };

/** Begins with a byte order mark, so that spreadsheets recognize UTF-8. */
export async function* csvOf(batches: AsyncIterable<Batch>) {
  const separator = csvSeparatorIn(spokenLanguage.locale);
  yield `\uFEFF${csvLine(Object.values(activityColumnsText), separator)}`;
  for await (const { rows, names } of batches)
    yield rows.map((row) => csvLine(Object.values(cellsOf(row, names)), separator)).join('');
}

export const cellsOf = (row: AuditLog, names: Names): Record<keyof typeof activityColumnsText, string> => ({
  id: String(row.id),
  time: row.createdAt.toISOString(),
  who: row.createdBy,
  whoId: String(row.userId),
  what: plainSentence(tell(row, names)),
  module: moduleLabel(row.module) ?? String(row.module),
  type: typeLabel(row.activityType) ?? String(row.activityType),
  action: actionLabel(row.action) ?? String(row.action),
  recordId: row.recordId === null ? '' : String(row.recordId),
  changes: detailsOf(row, (moment) => moment.toISOString())
    .map(({ label, before, value }) => `${label}: ${before === undefined ? '' : `${before} → `}${value}`)
    .join('; '),
  origin: row.origin ? originText(row.origin) : '',
});

export async function* jsonOf(batches: AsyncIterable<Batch>) {
  yield '[';
  let separator = '\n';
  for await (const { rows, names } of batches) {
    const lines = rows.map((row) => visibleJson(entryOf(row, names)));
    yield separator + lines.join(',\n');
    separator = ',\n';
  }
  yield '\n]\n';
}

export const entryOf = (row: AuditLog, names: Names) => ({
  ...z.encode(auditLog, row),
  sentence: plainSentence(tell(row, names)),
});
