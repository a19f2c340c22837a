import { strToU8, Zip, ZipDeflate, ZipPassThrough } from 'fflate';
import { ACTION, ACTIVITY_TYPE, type Download, MODULE } from '#contract/activity.ts';
import { PRODUCT_NAME } from '#contract/limits.ts';
import { refuse } from '#contract/errors.ts';
import { fill } from '#contract/text.ts';
import { dataExportText, type ExportedFile, exportedFiles } from '#contract/text/data-export.ts';
import type { UserId } from '#contract/wire.ts';
import { lockAccount } from '#server/accounts/data.ts';
import { type ActivityRow, listIds, listRows, recordActivity } from '#server/activity/data.ts';
import {
  type DataExport,
  deleteExport,
  findExport,
  findPictureFile,
  insertExport,
  listActiveIn,
  listSourceRows,
} from '#server/data-export/data.ts';
import { readable, sources } from '#server/data-export/rules.ts';
import { type Tx, transaction } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { deleteLater } from '#server/drive/actions.ts';
import { escapeHtml } from '#server/html.ts';
import { enqueue } from '#server/jobs/enqueue.ts';

const shown = (row: DataExport | undefined, now: Date) => {
  const isOver = row?.expires_at && row.expires_at <= now;
  return {
    requestedAt: (!isOver && row?.requested_at) || null,
    expiresAt: (!isOver && row?.expires_at) || null,
    byteCount: (!isOver && row?.byte_count) || null,
  };
};

/** Whether the caller's archive is under way or ready. */
export const readExport = async ({ sql, clock }: Deps, userId: UserId) =>
  shown(await findExport(sql, userId), clock.now());

type Requester = { readonly userId: UserId; readonly confirmed: boolean };

/**
 * Starts a new archive, which replaces the old one. The address must be confirmed, because the archive shows the
 * invitations of its owner.
 */
export async function requestExport(deps: Deps, { userId, confirmed }: Requester) {
  if (!confirmed) return refuse('account_not_confirmed');
  const former = await findExport(deps.sql, userId);
  if (former && !former.made_at) return shown(former, deps.clock.now());
  const tooMany = await deps.limiter.take('dataExportsDay', `user ${userId}`);
  if (tooMany) return tooMany;
  return transaction(deps.sql, async (tx) => {
    const now = deps.clock.now();
    // Concurrent requests are serialized by the account's lock.
    await lockAccount(tx, userId, now);
    const current = await findExport(tx, userId);
    if (current && !current.made_at) return shown(current, now);
    await removeExport(tx, deps, userId);
    const row = await insertExport(tx, userId, now);
    await enqueue(tx, deps, { kind: 'make-data-export', payload: { id: row.id }, userId });
    await record(tx, deps, userId, ACTION.create);
    return shown(row, now);
  });
}

/** Deletes a person's archive: the row now, the file after the commit. */
export async function removeExport(tx: Tx, deps: Deps, userId: UserId) {
  const former = await deleteExport(tx, userId);
  if (former?.file_id) await deleteLater(tx, deps, former.file_id);
}

const record = (tx: Tx, deps: Deps, userId: UserId, action: typeof ACTION.create | typeof ACTION.read) =>
  recordActivity(tx, deps, {
    orgId: null,
    userId,
    module: MODULE.profile,
    type: ACTIVITY_TYPE.dataExport,
    action,
  });

const PART_BYTES = 2 ** 20;
async function* inParts(bytes: Uint8Array) {
  for (let at = 0; at < bytes.length; at += PART_BYTES) yield bytes.subarray(at, at + PART_BYTES);
}

/** The caller's archive. The log row is written before the first byte leaves. */
export async function downloadExport(deps: Deps, userId: UserId) {
  const tooMany = await deps.limiter.take('exportsHour', `user ${userId}`);
  if (tooMany) return tooMany;
  const row = await findExport(deps.sql, userId);
  const isThere = row?.file_id && row.expires_at && row.expires_at > deps.clock.now();
  const bytes = isThere ? await deps.storage.get(row.file_id ?? '') : undefined;
  if (!bytes) return refuse('file_not_found');
  await transaction(deps.sql, (tx) => record(tx, deps, userId, ACTION.read));
  const day = deps.clock.now().toISOString().slice(0, 10);
  const fileName = `${PRODUCT_NAME.toLowerCase()}-${day}.zip`;
  return { mediaType: 'application/zip', fileName, content: inParts(bytes) } satisfies Download;
}

const ROWS_AT_ONCE = 500;

/** The rows of a file, in batches. */
async function* batchesOf(deps: Deps, file: ExportedFile, userId: UserId) {
  if (file === 'activity') yield* activityOf(deps, userId);
  else
    for (const [table, source] of Object.entries(sources).filter(([, one]) => one.file === file))
      yield (await listSourceRows(deps.sql, table, source, userId)).map((row) => readable(row, source));
}

/**
 * The person's acts, newest first: their own log, and what they did in organizations where they are active, as
 * Recent Activity shows it. Rows may name other people, so those of a former organization stay there.
 */
async function* activityOf({ sql }: Deps, userId: UserId) {
  const places = [{ orgId: null }, ...(await listActiveIn(sql, userId))];
  for (const { orgId } of places) {
    let last: ActivityRow | undefined;
    do {
      const after = last && { createdAt: last.created_at, id: last.id };
      const ids = await listIds(sql, { parts: [{ orgId, userId }] }, ROWS_AT_ONCE, after);
      const rows = await listRows(
        sql,
        ids.rows.map(({ id }) => id),
      );
      yield rows.map(({ id: _id, user_id: _userId, ...row }) =>
        readable({ org_id: orgId, ...row }, sources['activity'] ?? {}),
      );
      last = rows.at(-1);
    } while (last);
  }
}

/** Everything that the portal holds about a person as a ZIP file: JSON files, the picture, and an index. */
export async function archiveOf(deps: Deps, userId: UserId): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  const zip = new Zip((error, part) => {
    if (error) throw error;
    parts.push(part);
  });
  const add = (name: string, kind: typeof ZipDeflate | typeof ZipPassThrough = ZipDeflate) => {
    const entry = new kind(name);
    entry.mtime = deps.clock.now();
    zip.add(entry);
    return entry;
  };
  const lines: IndexLine[] = [];
  for (const [file, contents] of Object.entries(exportedFiles)) {
    const name = `${file}.json`;
    const entry = add(name);
    let entries = 0;
    entry.push(strToU8('['));
    for await (const rows of batchesOf(deps, file as ExportedFile, userId))
      for (const row of rows) {
        entry.push(strToU8(`${entries === 0 ? '' : ','}\n${JSON.stringify(row, null, 2)}`));
        entries += 1;
      }
    entry.push(strToU8('\n]\n'), true);
    lines.push({ name, contents, entries });
  }
  const picture = await findPictureFile(deps.sql, userId);
  const bytes = picture && (await deps.storage.get(picture.fileId));
  if (bytes) {
    const name = `picture.${picture.mediaType.replace('image/', '')}`;
    add(name, ZipPassThrough).push(bytes, true);
    lines.push({ name, contents: dataExportText.pictureFile, entries: 1 });
  }
  add('index.html').push(strToU8(indexOf(lines, deps.clock.now())), true);
  zip.end();
  return Buffer.concat(parts);
}

type IndexLine = { readonly name: string; readonly contents: string; readonly entries: number };

/** The page that says what each file holds. */
function indexOf(lines: readonly IndexLine[], now: Date): string {
  const { title, lead, file, contents, entries, left } = dataExportText;
  const moment = now.toISOString().slice(0, 16).replace('T', ' ');
  const rows = lines.map(
    (line) =>
      `<tr><td><a href="${line.name}">${line.name}</a></td><td>${escapeHtml(line.contents)}</td><td>${line.entries}</td></tr>`,
  );
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark"><title>${escapeHtml(title)}</title>
<style>:root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:50rem;margin:2rem auto;padding:0 1rem}td,th{text-align:left;padding:.25rem 1rem .25rem 0;vertical-align:top}</style></head>
<body><main><h1>${escapeHtml(title)}</h1><p>${escapeHtml(fill(lead, { moment }))}</p>
<table><thead><tr><th>${file}</th><th>${contents}</th><th>${entries}</th></tr></thead>
<tbody>${rows.join('\n')}</tbody></table><p>${escapeHtml(left)}</p></main></body></html>
`;
}
