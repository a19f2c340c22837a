import { sql } from 'kysely';
import { type Action, ACTIVITY_TYPE, type ActivityType, type Module } from '#contract/activity.ts';
import type { OrgId, UserId } from '#contract/wire.ts';
import { canonicalJson, linkText } from '#server/activity/rules.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { mac } from '#server/keys.ts';

export type NewActivity = {
  /** The organization whose log it belongs to; null for rows of a person alone. */
  readonly orgId: OrgId | null;
  readonly userId: UserId;
  readonly module: Module;
  readonly type: ActivityType;
  readonly action: Action;
  readonly recordId?: number;
  /** Old and new values as `{field: [old, new]}`; never a secret. */
  readonly information?: Record<string, unknown>;
};

/** Adds one row to the audit log in the caller's transaction and links it to the chain it belongs to. */
export async function recordActivity(tx: Tx, deps: Pick<Deps, 'clock' | 'keys'>, entry: NewActivity) {
  const [key] = deps.keys;
  const chain = entry.orgId === null ? `user:${entry.userId}` : `org:${entry.orgId}`;
  const head = await lockChain(tx, chain);
  const information = entry.information ?? {};
  const informationMac = mac(key.derive('activity-information'), canonicalJson(information));
  const row = {
    chain,
    position: head.length + 1,
    userId: entry.userId,
    createdAt: deps.clock.now(),
    module: entry.module,
    activityType: entry.type,
    action: entry.action,
    recordId: entry.recordId ?? null,
    informationMac: informationMac.toString('hex'),
  };
  const link = mac(key.derive('activity-chain'), linkText(row, Buffer.from(head.head).toString('hex')));
  await tx
    .insertInto('activity')
    .values({
      chain,
      position: row.position,
      org_id: entry.orgId,
      user_id: row.userId,
      created_at: row.createdAt,
      module: row.module,
      activity_type: row.activityType,
      action: row.action,
      record_id: row.recordId,
      information: sql`${JSON.stringify(information)}::jsonb`,
      information_mac: informationMac,
      mac: link,
      key_id: key.id,
    })
    .execute();
  await tx
    .updateTable('activity_chains')
    .set({ length: row.position, head: link })
    .where('chain', '=', chain)
    .execute();
}

/** Rows whose record is a person: profile, contact, membership, answer to an invitation. */
const OF_A_PERSON: readonly ActivityType[] = [
  ACTIVITY_TYPE.profileInformation,
  ACTIVITY_TYPE.contactInformation,
  ACTIVITY_TYPE.invitedContact,
  ACTIVITY_TYPE.invitationAnswer,
];

/** Whose texts are emptied: what is told of a person, wherever it stands, or all that an organization's log tells. */
export type Told = { readonly ofPerson: UserId } | { readonly ofOrganization: OrgId };

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
        .where((one) =>
          'ofOrganization' in told
            ? one('org_id', '=', told.ofOrganization)
            : one.or([
                one.and([one('user_id', '=', told.ofPerson), one('org_id', 'is', null)]),
                one.and([one('record_id', '=', told.ofPerson), one('activity_type', 'in', OF_A_PERSON)]),
              ]),
        )
        .limit(most),
    )
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/** The chain's end, locked until the transaction ends: rows of one chain are written one after the other. */
async function lockChain(tx: Tx, chain: string) {
  await tx
    .insertInto('activity_chains')
    .values({ chain, length: 0, head: Buffer.alloc(0) })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return tx
    .selectFrom('activity_chains')
    .select(['length', 'head'])
    .where('chain', '=', chain)
    .forUpdate()
    .executeTakeFirstOrThrow();
}
