// Compares the rows of each kind of write with the answers that clients got, and describes differences in words.
import { ACTION, ACTIVITY_TYPE } from '#contract/activity/calls.ts';
import type { Db } from '#server/db/connect.ts';
import type { Entry, Outcome, Write } from './writes.ts';

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

const stepsOf = (rows: readonly { readonly information: Record<string, unknown> }[], field: string) =>
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

/** The breach of an outcome: an acknowledged write is there, and a refused one is not. */
function brokenOutcome(outcome: Outcome, isThere: boolean, what: string, there = 'there'): string[] {
  if (outcome === 'acknowledged' && !isThere) return [`the acknowledged ${what} is lost`];
  return outcome === 'refused' && isThere ? [`the refused ${what} is ${there}`] : [];
}

type Columns = 'user_id' | 'org_id' | 'record_id' | 'activity_type' | 'action';
const loggedRows = (sql: Db, values: { readonly [column in Columns]?: number | null }) =>
  sql
    .selectFrom('activity')
    .select('information')
    .where((row) => row.and(values as Record<string, never>))
    .orderBy('id')
    .execute();

async function brokenNames(sql: Db, entries: readonly Entry<'name'>[]): Promise<string[]> {
  const breaches: string[] = [];
  for (const [id, own] of Map.groupBy(entries, ({ by }) => by.id)) {
    const person = sql.selectFrom('users').select('last_name').where('id', '=', id);
    const { last_name: shown } = await person.executeTakeFirstOrThrow();
    const steps = stepsOf(
      await loggedRows(sql, {
        user_id: id,
        org_id: own[0]?.by.orgId ?? null,
        activity_type: ACTIVITY_TYPE.profileInformation,
      }),
      'last_name',
    );
    breaches.push(...brokenOrder(id, own, steps), ...brokenSteps(id, steps, shown));
  }
  return breaches;
}

/** Acknowledged roles exist with one log row, refused ones do not; unknown ones exist completely or not at all. */
async function brokenRoles(
  sql: Db,
  entries: readonly Entry<'role'>[],
  removals: readonly Entry<'removal'>[],
): Promise<string[]> {
  const breaches: string[] = [];
  const removed = new Set(removals.filter(({ outcome }) => outcome !== 'refused').map(({ name }) => name));
  for (const { name, outcome, by } of entries) {
    const found = sql
      .selectFrom('roles')
      .select('id')
      .where('org_id', '=', by.orgId)
      .where('name', '=', name);
    const role = await found.executeTakeFirst();
    if (!removed.has(name)) breaches.push(...brokenOutcome(outcome, Boolean(role), `role ${name}`));
    if (!role) continue;
    const { length: times } = await loggedRows(sql, {
      org_id: by.orgId,
      record_id: role.id,
      activity_type: ACTIVITY_TYPE.roleInformation,
      action: ACTION.create,
    });
    if (times !== 1) breaches.push(`the role ${name} is in the log ${times} times`);
  }
  return breaches;
}

/** A removed role is gone and has one log row; an existing one has none. */
async function brokenRemovals(sql: Db, entries: readonly Entry<'removal'>[]): Promise<string[]> {
  const breaches: string[] = [];
  for (const { name, roleId, by, outcome } of entries) {
    const stands = await sql.selectFrom('roles').select('id').where('id', '=', roleId).executeTakeFirst();
    const { length: times } = await loggedRows(sql, {
      org_id: by.orgId,
      record_id: roleId,
      activity_type: ACTIVITY_TYPE.roleInformation,
      action: ACTION.delete,
    });
    breaches.push(...brokenOutcome(outcome, !stands, `removal of ${name}`, 'done'));
    if (times !== Number(!stands)) breaches.push(`the removal of ${name} is in the log ${times} times`);
  }
  return breaches;
}

/** The mails that reached an address or wait; a delivered one may still wait if its process ended then. */
async function mailsTo(sql: Db, email: string, mailIdsOf: MailIdsOf): Promise<number> {
  const jobs = sql.selectFrom('jobs').select('id').where('lane', '=', `mail:${email}`);
  const waiting = await jobs.where('done_at', 'is', null).execute();
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
    const member = await sql
      .selectFrom('users')
      .innerJoin('memberships', 'memberships.user_id', 'users.id')
      .select(['users.id as userId', 'memberships.id as memberId'])
      .where('users.email', '=', email)
      .where('memberships.org_id', '=', by.orgId)
      .where('status', '=', 1)
      .executeTakeFirst();
    breaches.push(...brokenOutcome(outcome, Boolean(member), `invitation of ${email}`));
    const mails = mailIdsOf ? await mailsTo(sql, email, mailIdsOf) : 1;
    if (!member) {
      if (mailIdsOf && mails > 0) breaches.push(`${email} was mailed an invitation that is not there`);
      continue;
    }
    const tokens = sql.selectFrom('one_time_tokens').select('id').where('member_id', '=', member.memberId);
    const { length: links } = await tokens.where('used_at', 'is', null).execute();
    const { length: rows } = await loggedRows(sql, {
      org_id: by.orgId,
      record_id: member.userId,
      activity_type: ACTIVITY_TYPE.invitedContact,
      action: ACTION.invite,
    });
    for (const [part, count] of Object.entries({ links, rows, mails }))
      if (count !== 1) breaches.push(`the invitation of ${email} has ${count} ${part}`);
  }
  return breaches;
}

/** A standing equals the last change in the log. Mails tell of the first changes, and of no more than there are. */
async function brokenStandings(
  sql: Db,
  entries: readonly Entry<'standing'>[],
  mailIdsOf?: MailIdsOf,
): Promise<string[]> {
  const breaches: string[] = [];
  for (const [{ id, orgId, email }, own] of Map.groupBy(entries, (entry) => entry.of)) {
    const member = await sql
      .selectFrom('memberships')
      .innerJoin('roles', 'roles.id', 'memberships.role_id')
      .select(['last_name', 'status', 'roles.name as role'])
      .where('memberships.org_id', '=', orgId)
      .where('user_id', '=', id)
      .executeTakeFirstOrThrow();
    const rows = await loggedRows(sql, {
      org_id: orgId,
      record_id: id,
      activity_type: ACTIVITY_TYPE.invitedContact,
      action: ACTION.update,
    });
    const [names, roles, statuses] = [
      stepsOf(rows, 'last_name'),
      stepsOf(rows, 'role'),
      stepsOf(rows, 'status'),
    ];
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
    const where = { user_id: id, activity_type: ACTIVITY_TYPE.password, action: ACTION.change };
    const { length: logged } = await loggedRows(sql, where);
    const least = own.filter(({ outcome }) => outcome === 'acknowledged').length;
    const most = own.filter(({ outcome }) => outcome !== 'refused').length;
    if (logged < least || logged > most)
      breaches.push(`${id} has ${logged} new passwords in the log, but answers for ${least} to ${most}`);
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
    const scheduled = sql.selectFrom('account_deletions').select('user_id').where('user_id', '=', by.id);
    const whole = (await scheduled.execute()).length;
    const { length: rows } = await loggedRows(sql, {
      user_id: by.id,
      org_id: null,
      activity_type: ACTIVITY_TYPE.deleteAccount,
      action: ACTION.delete,
    });
    breaches.push(...brokenOutcome(outcome, whole > 0, `deletion of ${by.email}`, 'done'));
    const mails = mailIdsOf ? await mailsTo(sql, by.email, mailIdsOf) : whole;
    for (const [part, count] of Object.entries({ rows, mails }))
      if (count !== whole) breaches.push(`the deletion of ${by.email} has ${count} ${part}`);
  }
  return breaches;
}
