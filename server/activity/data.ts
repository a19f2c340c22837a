// Writes and reads the activity log. Every write of the portal goes through here, so its statements are few and quick.
import { type RawBuilder, sql } from 'kysely';
import {
  type Act,
  codesOf,
  type Details,
  type DetailsOf,
  type Labelled,
  type OwnerOf,
} from '#contract/activity/recorded.ts';
import { type ActivityCursor, OPERATOR_ID } from '#contract/activity/calls.ts';
import type { MemberId, OrgId, SessionId, UserId } from '#contract/wire.ts';
import { canonicalJson, type ChainedRow, chainOf, linkText } from './rules.ts';
import { hasJoined } from './data-names.ts';
import { type Client, withOrigin } from './data-origins.ts';
import { type Db, SessionEnded, type Tx } from '#server/db/connect.ts';
import { hiddenValue, prepared } from '#server/db/prepared.ts';
import { type Event, eventJson, insertEvents } from '#server/webhooks/events/data.ts';
import type { Deps } from '#server/deps.ts';
import { mac } from '#server/keys.ts';
import { type ClientOrigin, currentOrigin, noteLocked, sessionToLock } from '#server/origin.ts';
import { readUserAgent } from '#server/user-agent.ts';
import { type Announcement, announcementOf } from '#server/webhooks/events/rules.ts';

type Entry<A extends Act, Fields> = {
  readonly orgId?: OrgId | null;
  readonly userId: UserId;
  readonly recordId?: number | undefined;
  readonly information?: (Fields & Labelled<A, Fields>) | undefined;
  /** Another person caused this row, so the person it is about must not see the client. */
  readonly byAnother?: boolean | undefined;
  /** The invitation that the row ends: its id stands in for that of the person who never joined. */
  readonly endedInvitation?: MemberId | undefined;
};
/** Adds a row to the log in the given transaction, and its event for webhooks. */
export function recordActivity<A extends Act, Fields extends DetailsOf<A> = DetailsOf<A>>(
  tx: Tx,
  deps: Pick<Deps, 'clock' | 'keys'>,
  act: A,
  entry: Entry<A, Fields> & OwnerOf<A>,
) {
  const { userId, byAnother, endedInvitation, ...more }: Entry<A, Fields> = entry;
  const orgId = act.startsWith('organization.') ? (more.orgId ?? null) : null;
  const row = { orgId, userId, recordId: more.recordId ?? null, information: more.information ?? {} };
  return insertActivity(tx, deps, codesOf(act), row, {
    // A sign-in records its client itself. The client of the operator or a company directory is no account's.
    origin:
      byAnother || act === 'person.signIn.create' || userId <= OPERATOR_ID ? undefined : currentOrigin(),
    announcement: announcementOf(act, row),
    endedInvitation,
  });
}

type Row = Readonly<{ orgId: OrgId | null; userId: UserId; recordId: number | null; information: Details }>;
type Beside = {
  readonly origin?: ClientOrigin | undefined;
  readonly announcement?: Announcement | undefined;
  readonly endedInvitation?: MemberId | undefined;
};

export async function insertActivity(
  tx: Tx,
  { clock, keys: [key] }: Pick<Deps, 'clock' | 'keys'>,
  [module, activityType, action]: Kind,
  { information, ...subject }: Row,
  { origin, announcement, endedInvitation }: Beside = {},
) {
  const chain = chainOf(subject.orgId, subject.userId);
  const head = await lockChain(tx, chain);
  const informationMac = mac(key.derive('activity-information'), canonicalJson(information));
  const row = {
    chain,
    position: head.length + 1,
    ...subject,
    createdAt: clock.now(),
    module,
    activityType,
    action,
    informationMac: informationMac.toString('hex'),
    keyId: key.id,
  } as const;
  const link = mac(key.derive('activity-chain'), linkText(row, Buffer.from(head.head).toString('hex')));
  await insertRow(
    tx,
    {
      ...row,
      information: JSON.stringify(information),
      informationMac,
      link,
      event: eventJson(announcement, { ...row, endedInvitation }),
      ipAddress: origin?.ipAddress ?? '',
      ...readUserAgent(origin?.userAgent ?? ''),
    },
    `${origin ? 'with origin' : 'alone'}${announcement ? ', announced' : ''}`,
  );
}

type Insertion = Omit<Row & ChainedRow, 'information' | 'informationMac'> &
  Readonly<{ information: string; informationMac: Buffer; link: Buffer }>;

/** One statement for the row, its client and the chain's new end, because nearly every write runs it. */
type InsertForm = `${'alone' | 'with origin'}${'' | ', announced'}`;
const insertRow = prepared((tx, row: Insertion & Client & Event, form: InsertForm) => {
  const insertion = tx
    .insertInto('activity')
    .values({
      chain: row.chain,
      position: row.position,
      org_id: row.orgId,
      user_id: row.userId,
      created_at: row.createdAt,
      module: row.module,
      activity_type: row.activityType,
      action: row.action,
      record_id: row.recordId,
      information: sql`${row.information}::jsonb`,
      information_mac: row.informationMac,
      mac: row.link,
      key_id: row.keyId,
    })
    .returning(['id', 'user_id']);
  const statement = tx
    .with('moved', (chains) =>
      chains
        .updateTable('activity_chains')
        .set({ length: row.position, head: row.link })
        .where('chain', '=', row.chain),
    )
    .with('added', () => insertion);
  const whole = form.endsWith('announced') ? statement.with('announced', () => insertEvents(row)) : statement;
  return form.startsWith('alone') ? whole.selectFrom('added').select('id') : withOrigin(whole, row);
});

/** Locks the caller's session, then the end of the chain, so that rows are written one after the other. */
async function lockChain(tx: Tx, chain: string) {
  const session = sessionToLock(tx);
  const ends = session ? await lockSessionAndChain(tx, chain, session) : await chainForUpdate(tx, { chain });
  const end =
    ends.at(0) ?? (await insertChain(tx, { chain })).at(0) ?? (await chainForUpdate(tx, { chain })).at(0);
  if (!end) throw new Error(`the chain ${chain} is gone`);
  return end;
}
const insertChain = prepared((tx, { chain }: { readonly chain: string }) =>
  tx
    .insertInto('activity_chains')
    .values({ chain, length: 0, head: Buffer.alloc(0) })
    .onConflict((conflict) => conflict.doNothing())
    .returning(['length', 'head']),
);
async function lockSessionAndChain(tx: Tx, chain: string, { id }: { readonly id: SessionId }) {
  const [row] = await sessionAndChainForUpdate(tx, { chain, sessionId: id });
  if (!row?.hasSession) throw new SessionEnded();
  noteLocked(tx, [{ id }]);
  const { length, head } = row;
  return length === null || head === null ? [] : [{ length, head }];
}
const sessionAndChainForUpdate = prepared(
  (_, { chain, sessionId }: { chain: string; sessionId: SessionId }) => {
    type Row = { hasSession: boolean; length: number | null; head: Buffer | null };
    // Locks the session before the chain, in the same order as code that ends a session.
    return sql<Row>`
    with session as materialized (select id from sessions where id = ${sessionId} for key share),
      chain as materialized (
        select length, head from activity_chains
        where chain = ${chain} and (select count(*) from session) = 1 for update)
    select exists (select from session) as "hasSession", chain.length, chain.head
    from (select 1) as one left join chain on true`;
  },
);
const chainForUpdate = prepared((tx, { chain }: { readonly chain: string }) =>
  tx.selectFrom('activity_chains').select(['length', 'head']).where('chain', '=', chain).forUpdate(),
);

/** Rows of an organization, of one person in it (`ifJoined`: none if they never joined), or of a person. */
type Part =
  | { readonly orgId: OrgId; readonly userId?: UserId | undefined; readonly ifJoined?: boolean }
  | { readonly orgId: null; readonly userId: UserId };

export type Filter = {
  readonly parts: readonly Part[];
  readonly kinds?: readonly Kind[] | undefined;
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
};
type Kind = readonly [module: number, activityType: number, action: number];

/** Newest first. Each part and kind has its own range of an index, so a rare kind is found without reading past others. */
export const listIds = (database: Db, filter: Filter, limit: number, after?: ActivityCursor) =>
  idsQuery(filter, limit, after).execute(database);

export function idsQuery(filter: Filter, limit: number, after?: ActivityCursor) {
  const pages = filter.parts.map((part) => {
    const where = [
      ...conditionsOf(part),
      ...(filter.from ? [sql`created_at >= ${filter.from}`] : []),
      ...(filter.to ? [sql`created_at < ${filter.to}`] : []),
      // The second condition implies the first, which lets PostgreSQL skip partitions.
      ...(after
        ? [sql`created_at <= ${after.createdAt}`, sql`(created_at, id) < (${after.createdAt}, ${after.id})`]
        : []),
    ];
    return filter.kinds ? newestOfKinds(where, filter.kinds, limit) : newest(where, limit);
  });
  return sql<{ id: number }>`
    select id from (${sql.join(pages, sql` union all `)}) as pages
    order by created_at desc, id desc limit ${limit}`;
}

type Conditions = readonly RawBuilder<unknown>[];

const conditionsOf = ({ orgId, userId, ...part }: Part): Conditions => [
  orgId === null ? sql`org_id is null` : sql`org_id = ${orgId}`,
  ...(userId === undefined ? [] : [sql`user_id = ${userId}`]),
  ...('ifJoined' in part && part.ifJoined ? [hasJoined(orgId, sql`${userId}::bigint`)] : []),
];

const newest = (where: Conditions, limit: number) => sql`
  (select id, created_at from activity where ${sql.join(where, sql` and `)}
    order by created_at desc, id desc limit ${limit})`;

const newestOfKinds = (where: Conditions, kinds: readonly Kind[], limit: number) => sql`
  (select of_kind.id, of_kind.created_at
    from unnest(${column(kinds, 0)}, ${column(kinds, 1)}, ${column(kinds, 2)}) as kind (m, t, a)
    cross join lateral ${newest([...where, sql`(module, activity_type, action) = (m, t, a)`], limit)} as of_kind)`;

const column = (kinds: readonly Kind[], at: 0 | 1 | 2) => sql`${kinds.map((kind) => kind[at])}::smallint[]`;

export const listRows = (database: Db, ids: readonly number[]) => rowsOf(database, { ids });
const rowsOf = prepared((database, { ids }: { readonly ids: readonly number[] }) =>
  database
    .selectFrom('activity')
    .leftJoin('activity_origins', 'activity_id', 'id')
    .select(['id', 'created_at', 'module', 'activity_type', 'action', 'record_id', 'activity.user_id'])
    .select(['information', 'ip_address', 'browser', 'system', 'location'])
    .where('id', '=', sql<number>`any(${hiddenValue(ids, 'bigint[]')})`)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc'),
);
export type ActivityRow = Awaited<ReturnType<typeof listRows>>[number];
