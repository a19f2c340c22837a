import { DATA_EXPORT_DAYS } from '#contract/limits.ts';
import type { FileId } from '#contract/area-wire.ts';
import { lockAccount } from '#server/accounts/data.ts';
import { DAY_MS, fromNow } from '#server/clock.ts';
import { archiveOf } from '#server/data-export/actions.ts';
import { deleteEndedExports, finishExport, findUnmade } from '#server/data-export/data.ts';
import { exportReadyMail } from '#server/data-export/mail.ts';
import { transaction } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { deleteLater } from '#server/drive/actions.ts';
import type { JobHandlers } from '#server/jobs/jobs.ts';
import { randomToken } from '#server/keys.ts';
import { queueMail } from '#server/mail/outbox.ts';

export const dataExportJobs: JobHandlers = {
  'make-data-export': async (deps, { id }: { readonly id: number }) => {
    const request = await findUnmade(deps.sql, id);
    if (request) await makeArchive(deps, id, request);
  },
};

/**
 * Stores the archive, then says that it is ready. A failure in between, or a deletion meanwhile, leaves a file without
 * a row, which the sweep of files deletes.
 */
async function makeArchive(
  deps: Deps,
  id: number,
  { userId }: NonNullable<Awaited<ReturnType<typeof findUnmade>>>,
) {
  const bytes = await archiveOf(deps, userId);
  const fileId = randomToken() as FileId;
  await deps.storage.put(fileId, bytes);
  await transaction(deps.sql, async (tx) => {
    const now = deps.clock.now();
    const account = await lockAccount(tx, userId, now);
    const expiresAt = fromNow(deps.clock, DATA_EXPORT_DAYS * DAY_MS);
    const made = { file_id: fileId, byte_count: bytes.length, made_at: now, expires_at: expiresAt };
    if (!account || !(await finishExport(tx, id, made)) || account.email === null) return;
    const content = exportReadyMail(deps.config.publicUrl);
    await queueMail(tx, deps, { userId, to: account.email, content, expiresAt });
  });
}

/** Deletes archives that have expired. */
export const sweepExports = (deps: Deps) =>
  transaction(deps.sql, async (tx) => {
    const ended = await deleteEndedExports(tx, deps.clock.now(), fromNow(deps.clock, -DAY_MS));
    for (const { file_id: fileId } of ended) if (fileId) await deleteLater(tx, deps, fileId);
  });
