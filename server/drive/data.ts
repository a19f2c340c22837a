import { type NotNull, sql as raw } from 'kysely';
import type { FileId } from '#contract/split-by-bytes/area-wire.ts';
import type { IconType } from '#contract/organizations/calls.ts';
import type { OrgId, UserId } from '#contract/wire.ts';
import { MEMBER_STATUS } from '#contract/members/calls.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import type { NewRow } from '#server/db/tables.ts';

export const insertIcon = (tx: Tx, icon: NewRow<'images'>) => tx.insertInto('images').values(icon).execute();

export const findIcon = (sql: Db, orgId: OrgId, fileId: FileId) =>
  sql
    .selectFrom('images')
    .select(['icon_type as iconType', 'media_type as mediaType', 'shown_at as shownAt'])
    .where('org_id', '=', orgId)
    .where('file_id', '=', fileId)
    .executeTakeFirst();

type Slot = { readonly orgId: OrgId; readonly iconType: IconType };
const inSlot = (tx: Tx, { orgId, iconType }: Slot) =>
  tx
    .deleteFrom('images')
    .where('org_id', '=', orgId)
    .where('icon_type', '=', iconType)
    .returning('file_id as fileId');

export const deleteUnusedUploads = (tx: Tx, slot: Slot, userId: UserId) =>
  inSlot(tx, slot).where('uploaded_by', '=', userId).where('shown_at', 'is', null).execute();

export const deleteShownIcon = (tx: Tx, slot: Slot) =>
  inSlot(tx, slot).where('shown_at', 'is not', null).executeTakeFirst();

export const showIcon = (tx: Tx, fileId: FileId, now: Date) =>
  tx.updateTable('images').set({ shown_at: now }).where('file_id', '=', fileId).execute();

export const deleteIcons = (tx: Tx, orgId: OrgId) =>
  tx.deleteFrom('images').where('org_id', '=', orgId).returning('file_id as fileId').execute();

export async function countIcons(sql: Db, orgIds: readonly OrgId[]): Promise<number> {
  if (orgIds.length === 0) return 0;
  const { count } = await sql
    .selectFrom('images')
    .select((query) => query.fn.countAll<number>().as('count'))
    .where('org_id', 'in', orgIds)
    .executeTakeFirstOrThrow();
  return count;
}

export const deleteUnusedIcons = (sql: Db, before: Date) =>
  sql.deleteFrom('images').where('shown_at', 'is', null).where('created_at', '<', before).execute();

export const listStoredNames = async (sql: Db, names: readonly string[]): Promise<Set<string>> => {
  const among = names as FileId[];
  const rows = await sql
    .selectFrom('images')
    .select('file_id')
    .where('file_id', 'in', among)
    .unionAll(sql.selectFrom('pictures').select('file_id').where('file_id', 'in', among))
    .unionAll(sql.selectFrom('application_icons').select('file_id').where('file_id', 'in', among))
    .unionAll(
      sql
        .selectFrom('data_exports')
        .select('file_id')
        .$narrowType<{ file_id: NotNull }>()
        .where('file_id', 'in', among),
    )
    .unionAll(
      sql
        .selectFrom('data_exports')
        .select(raw<FileId>`unnest(further_file_ids)`.as('file_id'))
        .where(raw<boolean>`further_file_ids && ${among}::text[]`),
    )
    .execute();
  return new Set(rows.map((row) => row.file_id));
};

export const insertPicture = (tx: Tx, picture: NewRow<'pictures'>) =>
  tx.insertInto('pictures').values(picture).execute();

export const deletePicture = (tx: Tx, userId: UserId) =>
  tx.deleteFrom('pictures').where('user_id', '=', userId).returning('file_id as fileId').executeTakeFirst();

type Viewer = { readonly userId: UserId; readonly open: readonly OrgId[] };
/** Their own, or that of a person in an organization that the viewer may enter; an invited person may be a stranger. */
export const findPictureFor = (sql: Db, fileId: FileId, viewer: Viewer, orgId: OrgId | undefined) =>
  sql
    .selectFrom('pictures')
    .select('media_type as mediaType')
    .where('file_id', '=', fileId)
    .where((picture) =>
      picture.or([
        picture('pictures.user_id', '=', viewer.userId),
        picture.exists(
          picture
            .selectFrom('memberships as theirs')
            .select('theirs.id')
            .whereRef('theirs.user_id', '=', 'pictures.user_id')
            .where('theirs.status', '<>', MEMBER_STATUS.invited)
            .where('theirs.org_id', '=', raw<OrgId>`any(${viewer.open}::bigint[])`)
            .$if(orgId !== undefined, (query) => query.where('theirs.org_id', '=', orgId as OrgId)),
        ),
      ]),
    )
    .executeTakeFirst();

export const findPicture = (sql: Db, fileId: FileId) =>
  sql
    .selectFrom('pictures')
    .select('media_type as mediaType')
    .where('file_id', '=', fileId)
    .executeTakeFirst();

export async function listLostImages({ sql, storage }: Pick<Deps, 'sql' | 'storage'>): Promise<FileId[]> {
  const files = new Set<string>();
  for await (const { name } of storage.list()) files.add(name);
  const icons = sql.selectFrom('images').select('file_id');
  const rows = await icons
    .unionAll(sql.selectFrom('pictures').select('file_id'))
    .unionAll(sql.selectFrom('application_icons').select('file_id'))
    .execute();
  return rows.map((row) => row.file_id).filter((name) => !files.has(name));
}

export async function deleteImages(tx: Tx, fileIds: readonly FileId[]) {
  for (const fileId of fileIds)
    for (const table of ['images', 'pictures', 'application_icons'] as const)
      await tx.deleteFrom(table).where('file_id', '=', fileId).execute();
}
