import type { ApplicationId } from '#contract/applications/registration.ts';
import type { FileId } from '#contract/area-wire.ts';
import type { MediaType } from '#contract/drive.ts';
import { ICON_PATH } from '#server/applications/clients/rules.ts';
import type { Db, Tx } from '#server/db/connect.ts';

type NewIcon = {
  readonly applicationId: ApplicationId;
  readonly fileId: FileId;
  readonly mediaType: MediaType;
  readonly createdAt: Date;
};

/** Replaces the icon of an application; returns the former one. */
export async function replaceIcon(tx: Tx, { applicationId, fileId, mediaType, createdAt }: NewIcon) {
  const former = await tx
    .deleteFrom('application_icons')
    .where('application_id', '=', applicationId)
    .returning('file_id as fileId')
    .executeTakeFirst();
  await tx
    .insertInto('application_icons')
    .values({
      application_id: applicationId,
      file_id: fileId,
      media_type: mediaType,
      created_at: createdAt,
    })
    .execute();
  return former?.fileId;
}

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
