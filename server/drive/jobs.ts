import { DAY_MS, fromNow } from '#server/clock.ts';
import type { Deps } from '#server/deps.ts';
import { deleteUnnamed, findKnown } from '#server/drive/data.ts';
import { isOurs } from '#server/drive/rules.ts';
import type { JobHandlers } from '#server/jobs/jobs.ts';

export const driveJobs: JobHandlers = {
  'delete-image': (deps, { fileId }: { fileId: string }) => deps.storage.delete(fileId),
};

const AT_ONCE = 200;

/** Deletes icons that were not set within a day, and files older than a day without a row. */
export async function sweepImages(deps: Deps) {
  const yesterday = fromNow(deps.clock, -DAY_MS);
  await deleteUnnamed(deps.sql, yesterday);
  let names: string[] = [];
  const deleteUnknown = async () => {
    const knownNames = await findKnown(deps.sql, names);
    for (const name of names) if (!knownNames.has(name)) await deps.storage.delete(name);
    names = [];
  };
  for await (const { name, storedAt } of deps.storage.list()) {
    if (storedAt < yesterday && isOurs(name)) names.push(name);
    if (names.length === AT_ONCE) await deleteUnknown();
  }
  if (names.length > 0) await deleteUnknown();
}
