import { type QueryCreator, type RawBuilder, sql } from 'kysely';
import { ACTION, ACTIVITY_TYPE, type Act, MODULE, type Module, type Place } from '#contract/activity.ts';
import type { OrgId, RoleId, UserId } from '#contract/wire.ts';
import { canonicalJson, chainOf, linkText, OF_A_PERSON } from '#server/activity/rules.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { hidden, prepared } from '#server/db/prepared.ts';
import type { Tables } from '#server/db/tables.ts';
import type { Deps } from '#server/deps.ts';
import { mac } from '#server/keys.ts';
import { UNKNOWN_PLACE } from '#server/locations.ts';
import { currentOrigin } from '#server/origin.ts';
import { readUserAgent } from '#server/user-agent.ts';

export type NewActivity = {
  /** The organization whose log it belongs to; null for rows of a person alone. */
  readonly orgId: OrgId | null;
  readonly userId: UserId;
  readonly module: Module;
  readonly recordId?: number;
  /** Old and new values as `{field: [old, new]}`; never a secret. */
  readonly information?: Record<string, unknown>;
  /** Somebody else's doing, so where it came from is not theirs to see. */
  readonly byAnother?: true;
} & Act;

/** Adds one row to the audit log in the caller's transaction and links it to the chain it belongs to. */
export async function recordActivity(tx: Tx, deps: Pick<Deps, 'clock' | 'keys'>, entry: NewActivity) {
  const [key] = deps.keys;
  const chain = chainOf(entry.orgId, entry.userId);
  const head = await lockChain(tx, chain);
  const information = entry.information ?? {};
  const informationMac = mac(key.derive('activity-information'), canonicalJson(information));
  const row = {
    version: 2,
    chain,
    position: head.length + 1,
    orgId: entry.orgId,
    userId: entry.userId,
    createdAt: deps.clock.now(),
    module: entry.module,
    activityType: entry.type,
    action: entry.action,
    recordId: entry.recordId ?? null,
    informationMac: informationMac.toString('hex'),
    keyId: key.id,
  } as const;
  const link = mac(key.derive('activity-chain'), linkText(row, Buffer.from(head.head).toString('hex')));
  const origin = originOf(entry);
  const { ipAddress = '', userAgent = '' } = origin ?? {};
  await rowWritten(
    tx,
    {
      ...row,
      information: JSON.stringify(information),
      informationMac,
      link,
      ipAddress,
      ...readUserAgent(userAgent),
    },
    origin ? 'with origin' : 'alone',
  );
}

type NewRow = Readonly<{
  chain: string;
  position: number;
  orgId: OrgId | null;
  userId: UserId;
  createdAt: Date;
  module: number;
  activityType: number;
  action: number;
  recordId: number | null;
  information: string;
  informationMac: Buffer;
  link: Buffer;
  keyId: string;
  version: number;
}>;
type From = { readonly ipAddress: string; readonly browser: string; readonly system: string };

/** The row, where it came from and the chain's new end are one statement: nearly every call that writes comes by here. */
const rowWritten = prepared((tx, row: NewRow & From, form: 'alone' | 'with origin') => {
  const added = tx
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
      link_version: row.version,
    })
    .returning(['id', 'user_id']);
  const written = tx
    .with('moved', (chains) =>
      chains
        .updateTable('activity_chains')
        .set({ length: row.position, head: row.link })
        .where('chain', '=', row.chain),
    )
    .with('added', () => added);
  return form === 'alone' ? written.selectFrom('added').select('id') : withOrigin(written, row);
});

/** Where the act comes from, where that is its doer's doing; a sign-in tells it itself. */
function originOf({ type, action, byAnother }: NewActivity) {
  const isSignIn = type === ACTIVITY_TYPE.signIn && action === ACTION.create;
  return byAnother || isSignIn ? undefined : currentOrigin();
}

type Written = QueryCreator<Tables & { added: { id: number; user_id: UserId } }>;
/** The place is that of the person's session from the same address. */
const withOrigin = (written: Written, { ipAddress, browser, system }: From) =>
  written
    .insertInto('activity_origins')
    .columns(['activity_id', 'user_id', 'ip_address', 'browser', 'system', 'location'])
    .expression((query) =>
      query.selectFrom('added').select((row) => [
        'id',
        'user_id',
        row.val(ipAddress).as('ip_address'),
        row.val(browser).as('browser'),
        row.val(system).as('system'),
        sql<string>`coalesce((select location from sessions
            where sessions.user_id = added.user_id and sessions.ip_address = ${ipAddress}
            order by sessions.id desc limit 1), ${UNKNOWN_PLACE})`.as('location'),
      ]),
    );

/** Whose texts are emptied: what is told of a person, wherever it stands, or all that an organization's log tells. */
export type Told =
  | { readonly ofPerson: UserId }
  | { readonly ofOrganization: OrgId }
  /** How they began an organization that stays: its first name may hold theirs. */
  | { readonly founder: UserId; readonly founded: OrgId };

/** Empties the texts of so many rows, which then say who did what and when, no more; how many there were. */
export async function emptyTexts(database: Db, told: Told, most: number): Promise<number> {
  const nothing = sql<never>`'{}'::jsonb`;
  const { numUpdatedRows } = await database
    .updateTable('activity')
    .set({ information: nothing })
    .where('id', 'in', (row) =>
      row
        .selectFrom('activity')
        .select('id')
        .where('information', '<>', nothing)
        .where(thatTell(told))
        .limit(most),
    )
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

function thatTell(told: Told) {
  if ('ofOrganization' in told) return sql<boolean>`org_id = ${told.ofOrganization}`;
  if ('founded' in told)
    return sql<boolean>`org_id = ${told.founded} and user_id = ${told.founder}
      and module = ${MODULE.organization} and action = ${ACTION.create}
      and activity_type = ${ACTIVITY_TYPE.organizationInformation}`;
  return sql<boolean>`(user_id = ${told.ofPerson} and org_id is null)
    or (record_id = ${told.ofPerson} and activity_type in (${sql.join(OF_A_PERSON.map((type) => sql.lit(type)))}))`;
}

/** The chain's end, locked until the transaction ends: rows of one chain are written one after the other. */
async function lockChain(tx: Tx, chain: string) {
  const [known] = await chainHeld(tx, { chain });
  if (known) return known;
  const [begun] = await chainBegun(tx, { chain });
  if (begun) return begun;
  const [another] = await chainHeld(tx, { chain });
  if (!another) throw new Error(`the chain ${chain} is gone`);
  return another;
}
const chainBegun = prepared((tx, { chain }: { readonly chain: string }) =>
  tx
    .insertInto('activity_chains')
    .values({ chain, length: 0, head: Buffer.alloc(0) })
    .onConflict((conflict) => conflict.doNothing())
    .returning(['length', 'head']),
);
const chainHeld = prepared((tx, { chain }: { readonly chain: string }) =>
  tx.selectFrom('activity_chains').select(['length', 'head']).where('chain', '=', chain).forUpdate(),
);

/** Whose rows: an organization's, those of one person in it, or those of a person that belong to none. */
type Part =
  | { readonly orgId: OrgId; readonly userId?: UserId | undefined }
  | { readonly orgId: null; readonly userId: UserId };

export type Filter = {
  readonly parts: readonly Part[];
  /** Kinds of rows to look for; all where none are named. */
  readonly kinds?: readonly Kind[] | undefined;
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
};
type Kind = readonly [module: number, activityType: number, action: number];

/**
 * The ids of one page, newest first. Whatever the filter, each part of the answer is the start of a range of one index:
 * kinds are looked for one by one, so rare ones are found without walking past the common.
 */
export const listPlaces = (database: Db, filter: Filter, limit: number, after?: Place) =>
  placesQuery(filter, limit, after).execute(database);

export function placesQuery(filter: Filter, limit: number, after?: Place) {
  const found = filter.parts.map((part) => {
    const where = [
      ...whose(part),
      ...(filter.from ? [sql`created_at >= ${filter.from}`] : []),
      ...(filter.to ? [sql`created_at < ${filter.to}`] : []),
      // Both say the same; a log that is parted by months knows by the first which of them it need not look into.
      ...(after
        ? [sql`created_at <= ${after.createdAt}`, sql`(created_at, id) < (${after.createdAt}, ${after.id})`]
        : []),
    ];
    return filter.kinds ? newestOfKinds(where, filter.kinds, limit) : newest(where, limit);
  });
  return sql<{ id: number }>`
    select id from (${sql.join(found, sql` union all `)}) as found
    order by created_at desc, id desc limit ${limit}`;
}

type Conditions = readonly RawBuilder<unknown>[];

const whose = ({ orgId, userId }: Part): Conditions => [
  orgId === null ? sql`org_id is null` : sql`org_id = ${orgId}`,
  ...(userId === undefined ? [] : [sql`user_id = ${userId}`]),
];

const newest = (where: Conditions, limit: number) => sql`
  (select id, created_at from activity where ${sql.join(where, sql` and `)}
    order by created_at desc, id desc limit ${limit})`;

const newestOfKinds = (where: Conditions, kinds: readonly Kind[], limit: number) => sql`
  (select of_kind.id, of_kind.created_at
    from unnest(${column(kinds, 0)}, ${column(kinds, 1)}, ${column(kinds, 2)}) as kind (m, t, a)
    cross join lateral ${newest([...where, sql`(module, activity_type, action) = (m, t, a)`], limit)} as of_kind)`;

const column = (kinds: readonly Kind[], at: 0 | 1 | 2) => sql`${kinds.map((kind) => kind[at])}::smallint[]`;

type Ids<Id> = { readonly ids: readonly Id[] };
/** Rows by their ids, newest first. */
export const listRows = (database: Db, ids: readonly number[]) => rowsOf(database, { ids });
const rowsOf = prepared((database, { ids }: Ids<number>) =>
  database
    .selectFrom('activity')
    .leftJoin('activity_origins', 'activity_id', 'id')
    .select(['id', 'created_at', 'module', 'activity_type', 'action', 'record_id', 'activity.user_id'])
    .select(['information', 'ip_address', 'browser', 'system', 'location'])
    .where('id', '=', sql<number>`any(${hidden(ids, 'bigint[]')})`)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc'),
);
export type ActivityRow = Awaited<ReturnType<typeof listRows>>[number];

/**
 * What people are called in an organization: by their membership, or as it was noted when that ended; nothing where it was
 * not. Their own profile says it where there is none. Who is gone is not among them.
 */
export const namesOfPeople = (database: Db, orgId: OrgId | null, ids: readonly UserId[]) =>
  peopleNamed(database, { orgId, ids }, orgId === null ? 'own' : 'there');
type Somewhere = { readonly orgId: OrgId | null };
const peopleNamed = prepared((database, { orgId, ids }: Ids<UserId> & Somewhere, name: 'own' | 'there') =>
  database
    .selectFrom('users')
    .select(['users.id', (name === 'own' ? ownName : nameIn(orgId)).as('name')])
    .where('users.id', '=', sql<UserId>`any(${hidden(ids, 'bigint[]')})`),
);

const ownName = sql<string | null>`coalesce(
  nullif(btrim(users.first_name || ' ' || users.last_name), ''), users.email)`;

const nameIn = (orgId: OrgId | null) => sql<string | null>`coalesce(
  (select coalesce(nullif(btrim(first_name || ' ' || last_name), ''), email_key) from memberships
    where user_id = users.id and org_id = ${orgId}),
  (select information->'name'->>0 from activity
    where record_id = users.id and org_id = ${orgId} and activity_type in (8, 15) and action = ${ACTION.delete}
    order by id desc limit 1))`;

/** The names of an organization's roles, as far as they still exist. */
export const namesOfRoles = (database: Db, orgId: OrgId, ids: readonly RoleId[]) =>
  rolesNamed(database, { orgId, ids });
const rolesNamed = prepared((database, { orgId, ids }: Ids<RoleId> & { readonly orgId: OrgId }) =>
  database
    .selectFrom('roles')
    .select(['id', 'name'])
    .where('org_id', '=', orgId)
    .where('id', '=', sql<RoleId>`any(${hidden(ids, 'bigint[]')})`),
);
