import { ACTION, ACTIVITY_TYPE } from '#contract/activity.ts';
import type { Db } from '#server/db/connect.ts';
import type { Entry, Write } from './writes.ts';

// Compares the rows of each kind of write with the answers that clients got, and describes differences in words.

/** The mails that reached an address, as the ids of their jobs, so that a repeated mail counts once. */
export type MailIdsOf = (email: string) => ReadonlySet<number | string>;

export async function brokenEntries(sql: Db, entries: readonly Entry[], mailIdsOf?: MailIdsOf) {
  const of = <K extends Write['kind']>(kind: K) =>
    entries.filter((entry): entry is Entry<K> => entry.kind === kind);
  return [
    ...(await brokenNames(sql, of('name'))),
    ...(await brokenRoles(sql, of('role'), of('removal'))),
    ...(await brokenRemovals(sql, of('removal'))),
    ...(await brokenInvitations(sql, of('invitation'), mailIdsOf)),
    ...(await brokenStandings(sql, of('standing'), mailIdsOf)),
    ...(await brokenPasswords(sql, of('password'))),
    ...(await brokenDeletions(sql, of('deletion'), mailIdsOf)),
  ];
}

type Value = string | number | null;
type Step = readonly [before: Value, after: Value];
const isStep = (field: unknown): field is Step => Array.isArray(field);
type Logged = readonly { readonly information: Record<string, unknown> }[];

/** The changes of a field in log rows, oldest first. */
const stepsOf = (rows: Logged, field: string) =>
  rows.map(({ information }) => information[field]).filter(isStep);

/** Checks that log rows form a chain of values that ends at the current one. */
function brokenSteps(whose: number, steps: readonly Step[], shown: Value): string[] {
  const breaches: string[] = [];
  for (const [at, [before]] of steps.entries()) {
    const last = steps[at - 1]?.[1];
    if (at > 0 && before !== last) breaches.push(`the log of ${whose} skips from ${last} to ${before}`);
  }
  const last = steps.at(-1);
  if (last && last[1] !== shown) breaches.push(`${whose} is ${shown}, by the log ${last[1]}`);
  return breaches;
}

/** The log holds each acknowledged name, no refused one, and in the order of the requests. */
function brokenOrder(whose: number, own: readonly Entry<'name' | 'standing'>[], steps: readonly Step[]) {
  const breaches: string[] = [];
  const logged = steps.map(([, after]) => after);
  for (const { name, outcome } of own) {
    const times = logged.filter((one) => one === name).length;
    if (times > (outcome === 'refused' ? 0 : 1))
      breaches.push(`the ${outcome} name ${name} is in the log ${times} times`);
    if (times === 0 && outcome === 'acknowledged') breaches.push(`the acknowledged name ${name} is lost`);
  }
  const order = own.filter(({ name }) => logged.includes(name)).map(({ name }) => name);
  const writtenNames = new Set<unknown>(own.map(({ name }) => name));
  if (order.join() !== logged.filter((name) => writtenNames.has(name)).join())
    breaches.push(`names of ${whose} changed their order`);
  return breaches;
}

async function brokenNames(sql: Db, entries: readonly Entry<'name'>[]): Promise<string[]> {
  const breaches: string[] = [];
  for (const [id, own] of Map.groupBy(entries, ({ by }) => by.id)) {
    const { last_name: shown } = await sql
      .selectFrom('users')
      .select('last_name')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    const rows = await sql
      .selectFrom('activity')
      .select('information')
      .where('user_id', '=', id)
      .where('org_id', '=', own[0]?.by.orgId ?? null)
      .where('activity_type', '=', ACTIVITY_TYPE.profileInformation)
      .orderBy('id')
      .execute();
    const steps = stepsOf(rows, 'last_name');
    breaches.push(...brokenOrder(id, own, steps), ...brokenSteps(id, steps, shown));
  }
  return breaches;
}

/**
 * Acknowledged roles exist with one log row, refused ones do not exist, and those of unknown outcome exist
 * completely or not at all.
 */
async function brokenRoles(
  sql: Db,
  entries: readonly Entry<'role'>[],
  removals: readonly Entry<'removal'>[],
): Promise<string[]> {
  const breaches: string[] = [];
  const removed = new Set(removals.filter(({ outcome }) => outcome !== 'refused').map(({ name }) => name));
  for (const [orgId, own] of Map.groupBy(entries, ({ by }) => by.orgId)) {
    const rows = await sql
      .selectFrom('roles')
      .leftJoin('activity', (join) =>
        join
          .onRef('activity.org_id', '=', 'roles.org_id')
          .onRef('activity.record_id', '=', 'roles.id')
          .on('activity_type', '=', ACTIVITY_TYPE.roleInformation)
          .on('action', '=', ACTION.create),
      )
      .select(({ fn }) => ['roles.name', fn.count<number>('activity.id').as('logged')])
      .where('roles.org_id', '=', orgId)
      .where('kind', '=', 'custom')
      .groupBy(['roles.id', 'roles.name'])
      .execute();
    const logged = new Map(rows.map(({ name, logged }) => [name, logged]));
    for (const { name, outcome } of own) {
      const times = logged.get(name);
      if (times === undefined && outcome === 'acknowledged' && !removed.has(name))
        breaches.push(`the acknowledged role ${name} is lost`);
      if (times !== undefined && outcome === 'refused') breaches.push(`the refused role ${name} is there`);
      if (times !== undefined && times !== 1) breaches.push(`the role ${name} is in the log ${times} times`);
    }
  }
  return breaches;
}

/** A removed role is gone and has one log row; an existing one has none. */
async function brokenRemovals(sql: Db, entries: readonly Entry<'removal'>[]): Promise<string[]> {
  const breaches: string[] = [];
  for (const { name, roleId, by, outcome } of entries) {
    const stands = await sql.selectFrom('roles').select('id').where('id', '=', roleId).executeTakeFirst();
    const rows = await sql
      .selectFrom('activity')
      .select('id')
      .where('org_id', '=', by.orgId)
      .where('record_id', '=', roleId)
      .where('activity_type', '=', ACTIVITY_TYPE.roleInformation)
      .where('action', '=', ACTION.delete)
      .execute();
    if (stands && outcome === 'acknowledged') breaches.push(`the acknowledged removal of ${name} is lost`);
    if (!stands && outcome === 'refused') breaches.push(`the refused removal of ${name} is done`);
    if (rows.length !== Number(!stands))
      breaches.push(`the removal of ${name} is in the log ${rows.length} times`);
  }
  return breaches;
}

/**
 * The mails that reached an address or wait. A delivered mail may still wait, if its process ended right
 * then.
 */
async function mailsTo(sql: Db, email: string, mailIdsOf: MailIdsOf): Promise<number> {
  const waiting = await sql
    .selectFrom('jobs')
    .select('id')
    .where('lane', '=', `mail:${email}`)
    .where('done_at', 'is', null)
    .execute();
  return new Set([...mailIdsOf(email), ...waiting.map(({ id }) => id)]).size;
}

/** An invitation is a member, a link, a log row and a mail: all of them once, or none. */
async function brokenInvitations(
  sql: Db,
  entries: readonly Entry<'invitation'>[],
  mailIdsOf?: MailIdsOf,
): Promise<string[]> {
  const breaches: string[] = [];
  for (const { email, outcome, by } of entries) {
    const account = await sql
      .selectFrom('users')
      .innerJoin('memberships', 'memberships.user_id', 'users.id')
      .select((from) => [
        from
          .selectFrom('one_time_tokens')
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .whereRef('member_id', '=', 'memberships.id')
          .where('used_at', 'is', null)
          .as('links'),
        from
          .selectFrom('activity')
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .whereRef('activity.org_id', '=', 'memberships.org_id')
          .whereRef('record_id', '=', 'users.id')
          .where('activity_type', '=', ACTIVITY_TYPE.invitedContact)
          .where('action', '=', ACTION.invite)
          .as('rows'),
      ])
      .where('users.email', '=', email)
      .where('memberships.org_id', '=', by.orgId)
      .where('status', '=', 1)
      .executeTakeFirst();
    const mails = mailIdsOf ? await mailsTo(sql, email, mailIdsOf) : 1;
    if (!account) {
      if (outcome === 'acknowledged') breaches.push(`the acknowledged invitation of ${email} is lost`);
      if (mailIdsOf && mails > 0) breaches.push(`${email} was mailed an invitation that is not there`);
      continue;
    }
    if (outcome === 'refused') breaches.push(`the refused invitation of ${email} is there`);
    const parts = { links: Number(account.links), rows: Number(account.rows), mails };
    for (const [part, count] of Object.entries(parts))
      if (count !== 1) breaches.push(`the invitation of ${email} has ${count} ${part}`);
  }
  return breaches;
}

/**
 * A member's standing equals the last change in the log. Mails tell of the first change of role and of status, and of
 * no more than the changes; between two mails the server waits.
 */
async function brokenStandings(
  sql: Db,
  entries: readonly Entry<'standing'>[],
  mailIdsOf?: MailIdsOf,
): Promise<string[]> {
  const breaches: string[] = [];
  for (const own of Map.groupBy(entries, ({ of }) => of.id).values()) {
    const [first] = own;
    if (!first) continue;
    const { id, orgId, email } = first.of;
    const member = await sql
      .selectFrom('memberships')
      .innerJoin('roles', 'roles.id', 'memberships.role_id')
      .select(['last_name', 'status', 'roles.name as role'])
      .where('memberships.org_id', '=', orgId)
      .where('user_id', '=', id)
      .executeTakeFirstOrThrow();
    const rows = await sql
      .selectFrom('activity')
      .select('information')
      .where('org_id', '=', orgId)
      .where('record_id', '=', id)
      .where('activity_type', '=', ACTIVITY_TYPE.invitedContact)
      .where('action', '=', ACTION.update)
      .orderBy('id')
      .execute();
    const names = stepsOf(rows, 'last_name');
    const roles = stepsOf(rows, 'role');
    const statuses = stepsOf(rows, 'status');
    breaches.push(
      ...brokenOrder(id, own, names),
      ...brokenSteps(id, names, member.last_name),
      ...brokenSteps(id, roles, member.role),
      ...brokenSteps(id, statuses, member.status),
    );
    if (!mailIdsOf) continue;
    const changes = roles.length + statuses.length;
    const mails = await mailsTo(sql, email, mailIdsOf);
    const firstMails = [roles, statuses].filter((steps) => steps.length > 0).length;
    if (mails < firstMails || mails > changes)
      breaches.push(`${email} was mailed ${mails} of ${changes} changes`);
  }
  return breaches;
}

/** Each acknowledged password change is in the log, those of unknown outcome may be, and no others are. */
async function brokenPasswords(sql: Db, entries: readonly Entry<'password'>[]): Promise<string[]> {
  const breaches: string[] = [];
  for (const [id, own] of Map.groupBy(entries, ({ by }) => by.id)) {
    const rows = await sql
      .selectFrom('activity')
      .select('id')
      .where('user_id', '=', id)
      .where('activity_type', '=', ACTIVITY_TYPE.password)
      .where('action', '=', ACTION.change)
      .execute();
    const least = own.filter(({ outcome }) => outcome === 'acknowledged').length;
    const most = own.filter(({ outcome }) => outcome !== 'refused').length;
    if (rows.length < least || rows.length > most)
      breaches.push(`${id} has ${rows.length} new passwords in the log, but answers for ${least} to ${most}`);
  }
  return breaches;
}

/** A deleted account is scheduled, with one log row and one mail; or nothing of it exists. */
async function brokenDeletions(
  sql: Db,
  entries: readonly Entry<'deletion'>[],
  mailIdsOf?: MailIdsOf,
): Promise<string[]> {
  const breaches: string[] = [];
  for (const { by, outcome } of entries) {
    const waits = await sql
      .selectFrom('account_deletions')
      .select('user_id')
      .where('user_id', '=', by.id)
      .executeTakeFirst();
    const rows = await sql
      .selectFrom('activity')
      .select('id')
      .where('user_id', '=', by.id)
      .where('org_id', 'is', null)
      .where('activity_type', '=', ACTIVITY_TYPE.deleteAccount)
      .where('action', '=', ACTION.delete)
      .execute();
    if (!waits && outcome === 'acknowledged')
      breaches.push(`the acknowledged deletion of ${by.email} is lost`);
    if (waits && outcome === 'refused') breaches.push(`the refused deletion of ${by.email} is done`);
    const whole = Number(Boolean(waits));
    const parts = { rows: rows.length, mails: mailIdsOf ? await mailsTo(sql, by.email, mailIdsOf) : whole };
    for (const [part, count] of Object.entries(parts))
      if (count !== whole) breaches.push(`the deletion of ${by.email} has ${count} ${part}`);
  }
  return breaches;
}
