import { expect, test } from 'vitest';
import type { UserId } from '#contract/wire.ts';
import { ARCHIVE_BYTES_MAX, storeArchive } from '#server/data-export/archive/store.ts';
import { GiveUp } from '#server/jobs/jobs.ts';
import { confirmed } from '#server/testing/people.ts';
import { useApp } from '#server/testing/use-app.ts';

const app = useApp();

test('an archive that outgrows its limit is given up, and not tried again', async () => {
  const { id } = await confirmed(app);
  const subject = { userId: id as UserId, orgId: null, orgIds: [] };
  const store = (bytesMax: number) => storeArchive(app.deps, subject, () => Promise.resolve(), bytesMax);
  const { byteCount } = await store(ARCHIVE_BYTES_MAX);
  expect(await store(byteCount)).toMatchObject({ byteCount });
  await expect(store(byteCount - 1)).rejects.toBeInstanceOf(GiveUp);
});
