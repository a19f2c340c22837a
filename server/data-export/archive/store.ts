import { setImmediate as turn } from 'node:timers/promises';
import { strToU8, Zip, ZipDeflate, ZipPassThrough } from 'fflate';
import type { FileId } from '#contract/split-by-bytes/area-wire.ts';
import { archiveIndexText } from '#words/archive-index.ts';
import { spokenLanguage } from '#words/language.ts';
import { organizationFilesText } from '#words/organization-files.ts';
import { personFilesText } from '#words/person-files.ts';
import type { OrgId, UserId } from '#contract/wire.ts';
import { actsOf, logOf } from '#server/activity/actions.ts';
import { findPictureFile, listIconFiles, sourceRows } from '#server/data-export/sources/data.ts';
import { organizationSources, personSources } from '#server/data-export/sources/data-tables.ts';
import { readable, type Sources } from '#server/data-export/sources/rules.ts';
import type { Deps } from '#server/deps.ts';
import { GiveUp } from '#server/jobs/jobs.ts';
import { escapeHtml } from '#server/html.ts';
import { randomToken } from '#server/keys.ts';

export type Subject =
  | { readonly userId: UserId; readonly orgId: null }
  | { readonly userId: null; readonly orgId: OrgId };
export type Covered = Subject & { readonly orgIds: readonly OrgId[] };
type Content = {
  readonly files: Readonly<Record<string, string>>;
  readonly sources: Sources;
  readonly subjectId: number;
  readonly orgIds: readonly OrgId[];
  readonly log: AsyncIterable<readonly Record<string, unknown>[]>;
  readonly images: readonly { readonly name: string; readonly fileId: FileId; readonly mediaType: string }[];
};

async function contentOf(deps: Deps, { userId, orgId, orgIds }: Covered): Promise<Content> {
  if (orgId !== null)
    return {
      files: organizationFilesText,
      sources: organizationSources,
      subjectId: orgId,
      orgIds,
      log: logOf(deps, orgId),
      images: await listIconFiles(deps.sql, orgId),
    };
  const picture = await findPictureFile(deps.sql, userId);
  return {
    files: personFilesText,
    sources: personSources,
    subjectId: userId,
    orgIds,
    log: actsIn(deps, userId, orgIds),
    images: picture ? [{ ...picture, name: 'picture' }] : [],
  };
}

/** The person's acts: their own log, then what they did in each organization. */
async function* actsIn(deps: Deps, userId: UserId, orgIds: readonly OrgId[]) {
  for (const orgId of [null, ...orgIds])
    for await (const rows of actsOf(deps, userId, orgId))
      yield rows.map((row) => Object.assign(row, { org_id: orgId }));
}

async function* batchesOf({ sql }: Deps, file: string, { sources, subjectId, orgIds, log }: Content) {
  if (file === 'activity')
    for await (const rows of log) yield rows.map((row) => readable(row, sources[file] ?? {}));
  else
    for (const [table, source] of Object.entries(sources).filter(([, one]) => one.file === file))
      for await (const rows of sourceRows(sql, { table, source, subjectId, orgIds }))
        yield rows.map((row) => readable(row, source));
}

/** An archive is stored in files of about this size, so that a large one takes no more memory than a small one. */
const PIECE_BYTES = 4 * 2 ** 20;

/** The column of the size holds no more, and neither the library nor older programs read more than 4 GB. */
export const ARCHIVE_BYTES_MAX = 2 ** 31 - 1;

const ROWS_PER_TURN = 50;

function openPieces({ storage }: Deps, bytesMax: number) {
  const fileIds: FileId[] = [];
  let parts: Uint8Array[] = [];
  let waiting = 0;
  let byteCount = 0;
  const storePiece = async () => {
    const bytes = Buffer.concat(parts);
    [parts, waiting] = [[], 0];
    const fileId = randomToken() as FileId;
    byteCount += bytes.length;
    if (byteCount > bytesMax) throw new GiveUp(`an archive exceeds ${bytesMax} bytes`);
    await storage.put(fileId, bytes);
    fileIds.push(fileId);
  };
  return {
    write: (part: Uint8Array) => {
      parts.push(part);
      waiting += part.length;
    },
    storeFull: async () => {
      if (waiting >= PIECE_BYTES) await storePiece();
    },
    end: async () => {
      await storePiece();
      return { fileIds, byteCount };
    },
  };
}

/** JSON files, images and an index. Calls `progress` between batches. The sweep of files deletes what a failure leaves. */
export async function storeArchive(
  deps: Deps,
  subject: Covered,
  progress: () => Promise<void>,
  bytesMax = ARCHIVE_BYTES_MAX,
) {
  const content = await contentOf(deps, subject);
  const pieces = openPieces(deps, bytesMax);
  const zip = new Zip((error, part) => {
    if (error) throw error;
    pieces.write(part);
  });
  const add = (name: string, kind: typeof ZipDeflate | typeof ZipPassThrough = ZipDeflate) => {
    const entry = new kind(name);
    entry.mtime = deps.clock.now();
    zip.add(entry);
    return entry;
  };
  const lines: IndexLine[] = [];
  for (const [file, contents] of Object.entries(content.files)) {
    const name = `${file}.json`;
    const entry = add(name);
    let entries = 0;
    entry.push(strToU8('['));
    for await (const rows of batchesOf(deps, file, content)) {
      for (const row of rows) {
        entry.push(strToU8(`${entries === 0 ? '' : ','}\n${JSON.stringify(row, null, 2)}`));
        entries += 1;
        // Requests come first.
        if (entries % ROWS_PER_TURN === 0) await turn();
      }
      await pieces.storeFull();
      await progress();
    }
    entry.push(strToU8('\n]\n'), true);
    lines.push({ name, contents, entries });
  }
  for (const image of content.images) {
    const bytes = await deps.storage.get(image.fileId);
    if (!bytes) continue;
    const name = `${image.name}.${image.mediaType.replace('image/', '')}`;
    add(name, ZipPassThrough).push(bytes, true);
    lines.push({ name, contents: archiveIndexText.image, entries: 1 });
    await pieces.storeFull();
    await progress();
  }
  const words = archiveIndexText[subject.orgId === null ? 'person' : 'organization'];
  add('index.html').push(strToU8(indexOf(words, lines, deps.clock.now())), true);
  zip.end();
  return pieces.end();
}

type IndexLine = { readonly name: string; readonly contents: string; readonly entries: number };
type Words = (typeof archiveIndexText)['person' | 'organization'];

function indexOf({ title, lead, left }: Words, lines: readonly IndexLine[], now: Date): string {
  const { file, contents, entries } = archiveIndexText;
  const moment = now.toISOString().slice(0, 16).replace('T', ' ');
  const rows = lines.map(
    (line) =>
      `<tr><td><a href="${line.name}">${line.name}</a></td><td>${escapeHtml(line.contents)}</td><td>${line.entries}</td></tr>`,
  );
  return `<!doctype html>
<html lang="${spokenLanguage.tag}" dir="${spokenLanguage.direction}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark"><title>${escapeHtml(title)}</title>
<style>:root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:50rem;margin:2rem auto;padding:0 1rem}td,th{text-align:start;padding-block:.25rem;padding-inline-end:1rem;vertical-align:top}</style></head>
<body><main><h1>${escapeHtml(title)}</h1><p>${escapeHtml(lead({ moment }))}</p>
<table><thead><tr><th>${file}</th><th>${contents}</th><th>${entries}</th></tr></thead>
<tbody>${rows.join('\n')}</tbody></table><p>${escapeHtml(left)}</p></main></body></html>
`;
}
