import type { ApplicationId } from '#contract/applications/registration.ts';
import type { FileId } from '#contract/split-by-bytes/area-wire.ts';
import { ICON_PATH } from '#server/applications/clients/rules.ts';
import type { Db } from '#server/db/connect.ts';

export const findIcon = (sql: Db, fileId: FileId) =>
  sql
    .selectFrom('application_icons')
    .select('media_type as mediaType')
    .where('file_id', '=', fileId)
    .executeTakeFirst();

/** The path of an application's icon; null without one. */
export async function findIconPath(sql: Db, applicationId: ApplicationId): Promise<string | null> {
  const icon = await sql
    .selectFrom('application_icons')
    .select('file_id')
    .where('application_id', '=', applicationId)
    .executeTakeFirst();
  return icon ? ICON_PATH + icon.file_id : null;
}
