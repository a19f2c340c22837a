import { DAY_MS, fromNow } from '#server/clock.ts';
import type { Deps } from '#server/deps.ts';
import { deleteUnusedIcons, listStoredNames } from './data.ts';
import type { JobHandlers } from '#server/jobs/jobs.ts';

/** Whether a file in the storage is an image, complete or partly written. The sweep deletes no other file. */
const isImageName = (name: string) => /^[\w-]{43}(\.part)?$/.test(name);

export const driveJobs: JobHandlers = {
  'delete-image': (deps, { fileId }: { fileId: string }) => deps.storage.delete(fileId),
};

const AT_ONCE = 200;

export async function sweepImages(deps: Deps) {
  const yesterday = fromNow(deps.clock, -DAY_MS);
  await deleteUnusedIcons(deps.sql, yesterday);
  let names: string[] = [];
  const deleteUnknown = async () => {
    const knownNames = await listStoredNames(deps.sql, names);
    for (const name of names) if (!knownNames.has(name)) await deps.storage.delete(name);
    names = [];
  };
  for await (const { name, storedAt } of deps.storage.list()) {
    if (storedAt < yesterday && isImageName(name)) names.push(name);
    if (names.length === AT_ONCE) await deleteUnknown();
  }
  if (names.length > 0) await deleteUnknown();
}
