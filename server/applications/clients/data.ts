import { type Insertable, sql, type Updateable } from 'kysely';
import type { ApplicationId } from '#contract/applications/registration.ts';
import type { FileId } from '#contract/split-by-bytes/area-wire.ts';
import type { MediaType } from '#contract/drive/calls.ts';
import { ICON_PATH } from '#server/applications/clients/rules.ts';
import { type ClientRow, clientRows } from '#server/applications/clients/data-rows.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { prepared } from '#server/db/prepared.ts';
import type { Tables } from '#server/db/tables.ts';
import { wakeAfterCommit } from '#server/waking.ts';

const clientOf = prepared((database, { clientId }: { readonly clientId: string }) =>
  clientRows(database).where('paused_at', 'is', null).where('client_id', '=', clientId),
);

/** A registered application by its client id; undefined while it is paused. */
export async function findClient(database: Db, clientId: string): Promise<ClientRow | undefined> {
  const [row] = await clientOf(database, { clientId });
  return row;
}

/** A registered application by its id, also while it is paused. */
export const findClientById = (database: Db, id: ApplicationId) =>
  clientRows(database).where('id', '=', id).executeTakeFirst();

/** The suite's applications that people can open, the oldest first. */
export const listCards = (database: Db) =>
  database
    .selectFrom('applications')
    .leftJoin('application_icons', 'application_id', 'id')
    .select(['name', 'description', 'start_url as url', 'members_of as membersOf'])
    .select(sql<string | null>`${sql.lit(ICON_PATH)} || file_id`.as('icon'))
    .where('is_first_party', '=', true)
    .where('paused_at', 'is', null)
    .where('start_url', 'is not', null)
    .orderBy('applications.created_at')
    .$narrowType<{ url: string }>()
    .execute();

/** A picture whose bytes are stored. */
export type StoredIcon = { readonly fileId: FileId; readonly mediaType: MediaType };

/** Replaces or removes the icon of an application; returns the former one. */
export async function replaceIcon(tx: Tx, applicationId: ApplicationId, icon: StoredIcon | null, now: Date) {
  const former = await tx
    .deleteFrom('application_icons')
    .where('application_id', '=', applicationId)
    .returning('file_id as fileId')
    .executeTakeFirst();
  if (icon)
    await tx
      .insertInto('application_icons')
      .values({
        application_id: applicationId,
        file_id: icon.fileId,
        media_type: icon.mediaType,
        created_at: now,
      })
      .execute();
  return former?.fileId ?? null;
}

type NewSecret = { readonly applicationId: ApplicationId; readonly hash: Buffer; readonly createdAt: Date };
export const insertSecret = (tx: Tx, { applicationId, hash, createdAt }: NewSecret) =>
  tx
    .insertInto('application_secrets')
    .values({ application_id: applicationId, secret_hash: hash, created_at: createdAt })
    .execute();

/** Ends the current secret at a moment, and an older one at once: an application has two secrets at most. */
export async function endSecrets(tx: Tx, applicationId: ApplicationId, endsAt: Date) {
  await tx
    .deleteFrom('application_secrets')
    .where('application_id', '=', applicationId)
    .where('ends_at', 'is not', null)
    .execute();
  await tx
    .updateTable('application_secrets')
    .set({ ends_at: endsAt })
    .where('application_id', '=', applicationId)
    .execute();
}

export const insertApplication = (tx: Tx, application: Insertable<Tables['applications']>) =>
  tx.insertInto('applications').values(application).returning(['id', 'client_id']).executeTakeFirstOrThrow();

export const updateApplication = (tx: Tx, id: ApplicationId, change: Updateable<Tables['applications']>) =>
  tx.updateTable('applications').set(change).where('id', '=', id).execute();

export async function setPaused(tx: Tx, id: ApplicationId, pausedAt: Date | null): Promise<void> {
  await tx.updateTable('applications').set({ paused_at: pausedAt }).where('id', '=', id).execute();
  if (pausedAt) wakeAfterCommit(tx);
}

/** Deletes an application with its grants, tokens and secrets. */
export async function deleteApplication(tx: Tx, id: ApplicationId): Promise<void> {
  await tx.deleteFrom('applications').where('id', '=', id).execute();
  wakeAfterCommit(tx);
}
