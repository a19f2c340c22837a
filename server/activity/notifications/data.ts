import { sql } from 'kysely';
import {
  type NotificationId,
  type NotificationKind,
  notificationKinds,
  securityKinds,
} from '#contract/communications/calls.ts';
import { NOTIFICATION_DAYS, NOTIFICATIONS_PAGE, NOTIFICATIONS_PER_USER_MAX } from '#contract/limits.ts';
import { MEMBER_STATUS } from '#contract/members/calls.ts';
import type { MemberId, OrgId, UserId } from '#contract/wire.ts';
import { DAY_MS, fromNow } from '#server/clock.ts';
import type { Organizations } from '#server/access/rules.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { hiddenValue, prepared } from '#server/db/prepared.ts';
import type { Deps } from '#server/deps.ts';
import type { NewRow } from '#server/db/tables.ts';

/** `details`: names in its text. `orgId`: the organization of its link. `aboutId`: another named person. */
type NewNotification = {
  readonly details?: Record<string, string>;
  readonly orgId?: OrgId;
  readonly aboutId?: UserId;
} & (
  | { readonly kind: Exclude<NotificationKind, 'invitation'> }
  | { readonly kind: 'invitation'; readonly memberId: MemberId }
);

/** It replaces an outdated one of the same subject. New devices, other security kinds and all others keep 200 each. */
export async function notify(tx: Tx, { clock }: Pick<Deps, 'clock'>, userId: UserId, news: NewNotification) {
  const memberId = news.kind === 'invitation' ? news.memberId : null;
  const { kind, details = {}, orgId = null, aboutId = null } = news;
  const alike = tx.deleteFrom('notifications').where('user_id', '=', userId).where('kind', '=', kind);
  if (kind === 'role_changed' || kind === 'way_in_changed')
    await alike
      .where('org_id', 'is not distinct from', orgId)
      .where(sql<boolean>`details->>'change' is not distinct from ${details['change'] ?? null}::text`)
      .where('read_at', 'is', null)
      .execute();
  if (memberId !== null || kind === 'address_to_confirm')
    await alike.where('member_id', 'is not distinct from', memberId).execute();
  const row = { user_id: userId, kind, org_id: orgId, member_id: memberId, about_id: aboutId };
  const pool = poolNames.find((name) => pools[name].some((one) => one === kind)) ?? 'others';
  await insertRow(tx, { ...row, details: JSON.stringify(details), created_at: clock.now() }, pool);
}

/** The kinds that push each other out. Only another new device pushes a new device out. */
const pools = {
  devices: ['new_device'],
  security: securityKinds.filter((kind) => kind !== 'new_device'),
  others: notificationKinds.filter((kind) => !securityKinds.some((name) => name === kind)),
} satisfies Record<string, NotificationKind[]>;
type Pool = keyof typeof pools;
const poolNames = Object.keys(pools) as Pool[];

type Row = Omit<NewRow<'notifications'>, 'details'> & { readonly details: string };
const insertRow = prepared((tx, row: Row, pool: Pool) => {
  // The new row is not in the table yet.
  const beyond = tx
    .selectFrom('notifications')
    .select('id')
    .where('user_id', '=', row.user_id)
    .where('kind', 'in', pools[pool])
    .orderBy('id', 'desc')
    .offset(NOTIFICATIONS_PER_USER_MAX - 1);
  return tx
    .with('gone', (query) => query.deleteFrom('notifications').where('id', 'in', beyond))
    .insertInto('notifications')
    .values({ ...row, details: sql`${row.details}::jsonb` });
});

/** The reader, the invitations that are pending for them (others are not shown), and their organizations. */
type Reader = Organizations & {
  readonly userId: UserId;
  readonly pending: readonly MemberId[];
};

/** An address shows until it is confirmed, an invitation while pending. A closed organization shows what it asks for. */
const shownTo = (database: Db, { userId, pending, open, closed }: Reader, isWhole: boolean) =>
  database
    .selectFrom('notifications')
    .where('notifications.user_id', '=', userId)
    .where('notifications.kind', 'in', notificationKinds)
    // Before the account's proof, only notices of the organizations that the session may enter.
    .$if(!isWhole, (query) =>
      query.where('notifications.org_id', '=', sql<OrgId>`any(${hiddenValue(open, 'bigint[]')})`),
    )
    .where((row) =>
      row.or([
        row('notifications.org_id', 'is', null),
        row('notifications.kind', '=', 'second_step_asked'),
        row('notifications.org_id', '<>', sql<OrgId>`all(${hiddenValue(closed, 'bigint[]')})`),
      ]),
    )
    .where((row) => {
      const confirmed = row
        .selectFrom('users')
        .select('users.id')
        .where('users.id', '=', userId)
        .where('users.confirmed_at', 'is not', null);
      return row.or([
        row('notifications.kind', 'not in', ['invitation', 'address_to_confirm']),
        row.and([row('notifications.kind', '=', 'address_to_confirm'), row.not(row.exists(confirmed))]),
        row('notifications.member_id', '=', sql<MemberId>`any(${hiddenValue(pending, 'bigint[]')})`),
      ]);
    });

/** Newest first, plus one row that shows whether there is a next page. */
export const listNotifications = (database: Db, reader: Reader, after: NotificationId | undefined) =>
  pageOf(
    database,
    { ...reader, after: after ?? null },
    `${reader.isWhole ? 'whole' : 'reduced'}${after === undefined ? '' : ', later'}`,
  );
type Page = Reader & { readonly after: NotificationId | null };
type Shown = 'whole' | 'reduced';
const pageOf = prepared((database, page: Page, form: Shown | `${Shown}, later`) =>
  shownTo(database, page, form.startsWith('whole'))
    .leftJoin('memberships', (join) =>
      join
        .onRef('memberships.org_id', '=', 'notifications.org_id')
        .onRef('memberships.user_id', '=', 'notifications.user_id')
        .on('memberships.status', '=', MEMBER_STATUS.active),
    )
    .leftJoin('organizations', 'organizations.id', 'memberships.org_id')
    .leftJoin('roles', 'roles.id', 'memberships.role_id')
    .select(['notifications.id', 'notifications.kind', 'details', 'notifications.member_id as memberId'])
    .select(['notifications.created_at as createdAt', 'read_at as readAt'])
    .select(['organizations.url_name as urlName', 'roles.is_admin as isAdmin'])
    .$if(form.endsWith('later'), (query) => query.where('notifications.id', '<', page.after))
    .orderBy('notifications.id', 'desc')
    .limit(NOTIFICATIONS_PAGE + 1),
);
export type StoredNotification = Awaited<ReturnType<typeof listNotifications>>[number];

export async function countUnread(database: Db, reader: Reader): Promise<number> {
  const [{ count } = { count: 0 }] = await unreadOf(database, reader, reader.isWhole ? 'whole' : 'reduced');
  return count;
}
const unreadOf = prepared((database, reader: Reader, form: Shown) =>
  shownTo(database, reader, form === 'whole')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('read_at', 'is', null),
);

/** All notifications up to `upTo`, or only those from `from` on; both are included. */
export type Range = { readonly from?: NotificationId | undefined; readonly upTo: NotificationId };

export const markRead = (tx: Tx, reader: Reader & { readonly now: Date }, { from, upTo }: Range) =>
  tx
    .updateTable('notifications')
    .set({ read_at: reader.now })
    .where('id', 'in', (row) =>
      shownTo(row as unknown as Db, reader, reader.isWhole)
        .select('notifications.id')
        .where('notifications.id', '<=', upTo)
        .$if(from !== undefined, (query) => query.where('notifications.id', '>=', from ?? upTo))
        .where('read_at', 'is', null),
    )
    .execute();

export const sweepNotifications = ({ sql: database, clock }: Deps) =>
  database
    .deleteFrom('notifications')
    .where('created_at', '<=', fromNow(clock, -NOTIFICATION_DAYS * DAY_MS))
    .execute();
