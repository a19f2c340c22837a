import { type NewActivity } from '#server/activity/data.ts';
import { canonicalJson, linkText } from '#server/activity/rules.ts';
import type { Db } from '#server/db/connect.ts';
import { type Keys, mac } from '#server/keys.ts';

const bytes = (value: Uint8Array) => Buffer.from(value).toString('hex');

/** Recomputes chains of the audit log from their rows, as somebody who doubts it would; says what is wrong with them. */
export async function brokenChains(database: Db, [key]: Keys, only?: string): Promise<string[]> {
  const rows = await database
    .selectFrom('activity')
    .selectAll()
    .$if(only !== undefined, (query) => query.where('chain', '=', only ?? ''))
    .orderBy('chain')
    .orderBy('position')
    .execute();
  const chains = await database
    .selectFrom('activity_chains')
    .selectAll()
    .$if(only !== undefined, (query) => query.where('chain', '=', only ?? ''))
    .execute();
  const problems: string[] = [];
  const ends = new Map<string, { length: number; head: string }>();
  for (const row of rows) {
    const before = ends.get(row.chain) ?? { length: 0, head: '' };
    const at = `${row.chain} ${row.position}`;
    if (row.position !== before.length + 1) problems.push(`${at}: a gap`);
    if (row.chain !== (row.org_id === null ? `user:${row.user_id}` : `org:${row.org_id}`))
      problems.push(`${at}: in the wrong chain`);
    const text = mac(key.derive('activity-information'), canonicalJson(row.information)).toString('hex');
    const isEmptied = canonicalJson(row.information) === '{}';
    if (!isEmptied && text !== bytes(row.information_mac)) problems.push(`${at}: another text`);
    const link = linkText(
      {
        chain: row.chain,
        position: row.position,
        userId: row.user_id,
        createdAt: row.created_at,
        module: row.module as NewActivity['module'],
        activityType: row.activity_type as NewActivity['type'],
        action: row.action as NewActivity['action'],
        recordId: row.record_id,
        informationMac: bytes(row.information_mac),
      },
      before.head,
    );
    if (mac(key.derive('activity-chain'), link).toString('hex') !== bytes(row.mac))
      problems.push(`${at}: a broken link`);
    ends.set(row.chain, { length: row.position, head: bytes(row.mac) });
  }
  for (const { chain, length, head } of chains) {
    const end = ends.get(chain) ?? { length: 0, head: '' };
    if (end.length !== length || end.head !== bytes(head)) problems.push(`${chain}: a cut tail`);
  }
  return problems;
}
