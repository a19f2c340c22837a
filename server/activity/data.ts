import { sql } from 'kysely';
import type { Action, ActivityType, Module } from '#contract/activity.ts';
import type { OrgId, UserId } from '#contract/wire.ts';
import { canonicalJson, chainOf, linkText } from '#server/activity/rules.ts';
import type { Tx } from '#server/db/connect.ts';
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
  await tx
    .insertInto('activity')
    .values({
      chain,
      position: row.position,
      org_id: row.orgId,
      user_id: row.userId,
      created_at: row.createdAt,
      module: row.module,
      activity_type: row.activityType,
      action: row.action,
      record_id: row.recordId,
      information: sql`${JSON.stringify(information)}::jsonb`,
      information_mac: informationMac,
      mac: link,
      key_id: row.keyId,
      link_version: row.version,
    })
    .execute();
  await tx
    .updateTable('activity_chains')
    .set({ length: row.position, head: link })
    .where('chain', '=', chain)
    .execute();
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
