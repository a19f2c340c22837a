import { type Kysely, sql, type Insertable, type Updateable } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import type { ApplicationId } from '#contract/applications/registration.ts';
import type { MediaType } from '#contract/drive/calls.ts';
import type { FileId } from '#contract/split-by-bytes/area-wire.ts';
import { ICON_PATH } from './rules.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { prepared } from '#server/db/prepared.ts';
import type { Tables, NewRow } from '#server/db/tables.ts';
import { wakeAfterCommit } from '#server/waking.ts';

export const clientRows = (database: Kysely<Tables>) =>
  database
    .selectFrom('applications')
    .select(['id', 'client_id', 'name', 'kind', 'org_id', 'is_first_party', 'is_for_everyone'])
    .select(['redirect_urls', 'signed_out_urls', 'sign_out_url', 'signing_algorithm', 'public_keys', 'apis'])
    .select(['requires_par', 'requires_dpop', 'requires_pkce', 'members_of'])
    .select((row) =>
      jsonArrayFrom(
        row
          .selectFrom('application_secrets')
          .select([
            sql<string>`encode(secret_hash, 'hex')`.as('hash'),
            sql<number | null>`extract(epoch from ends_at)::float8`.as('endsAt'),
          ])
          .whereRef('application_id', '=', 'applications.id')
          .orderBy('application_secrets.id', 'desc'),
      ).as('secrets'),
    );
export type ClientRow = Awaited<ReturnType<ReturnType<typeof clientRows>['executeTakeFirstOrThrow']>>;

const clientOf = prepared((database, { clientId }: { readonly clientId: string }) =>
  clientRows(database).where('paused_at', 'is', null).where('client_id', '=', clientId),
);

/** A registered application by its client ID; undefined while it is paused. */
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

export type StoredIcon = { readonly fileId: FileId; readonly mediaType: MediaType };

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

export const insertSecret = (tx: Tx, secret: NewRow<'application_secrets'>) =>
  tx.insertInto('application_secrets').values(secret).execute();

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

export async function deleteApplication(tx: Tx, id: ApplicationId): Promise<void> {
  await tx.deleteFrom('applications').where('id', '=', id).execute();
  wakeAfterCommit(tx);
}

export const findIcon = (sql: Db, fileId: FileId) =>
  sql
    .selectFrom('application_icons')
    .select('media_type as mediaType')
    .where('file_id', '=', fileId)
    .executeTakeFirst();

export async function findIconPath(sql: Db, applicationId: ApplicationId): Promise<string | null> {
  const icon = await sql
    .selectFrom('application_icons')
    .select('file_id')
    .where('application_id', '=', applicationId)
    .executeTakeFirst();
  return icon ? ICON_PATH + icon.file_id : null;
}

export const listMakers = (database: Db, ids: readonly ApplicationId[]) =>
  database
    .selectFrom('applications')
    .select(['id', 'org_id as orgId', 'created_by as createdBy'])
    .where('id', '=', sql<ApplicationId>`any (${[...ids]}::bigint[])`)
    .execute();
