import { ACTION, ACTIVITY_TYPE } from '#contract/activity.ts';
import type { RoleId } from '#contract/wire.ts';
import type { Db } from '#server/db/connect.ts';
import type { Person } from './people.ts';
import type { Asked, Reply } from './wire.ts';

/** What a client may ask to have written. */
export type Write =
  | { readonly kind: 'name'; readonly by: Person; readonly name: string }
  | { readonly kind: 'role'; readonly by: Person; readonly name: string }
  | { readonly kind: 'invitation'; readonly by: Person; readonly email: string }
  | { readonly kind: 'removal'; readonly by: Person; readonly name: string; readonly roleId: number };

/** What became of it as far as the client knows: without an answer, or after a 5xx, it may be there or not. */
type Outcome = 'acknowledged' | 'refused' | 'unknown';
type Entry = Write & { readonly outcome: Outcome };

/** Letters alone, as names are made of: a, b, …, z, ba, … */
const letters = (n: number): string =>
  (n >= 26 ? letters(Math.floor(n / 26)) : '') + String.fromCodePoint(97 + (n % 26));
let numbered = 0;

/** A write of a kind with content that is nowhere else; a removal is the ledger's to find. */
export function newWrite(kind: Exclude<Write['kind'], 'removal'>, by: Person): Write {
  const word = letters((numbered += 1));
  if (kind === 'invitation') return { kind, by, email: `guest.${word}.${process.pid}@northwind.example` };
  return { kind, by, name: kind === 'name' ? `Bell${word}` : `Role ${word}` };
}

/** The call that asks for it. */
export function callFor(write: Write): Asked {
  const { by } = write;
  const who = { cookie: by.cookie, from: by.from };
  if (write.kind === 'name')
    return {
      ...who,
      method: 'PUT',
      path: '/api/user',
      body: { org_id: by.orgId, first_name: 'Ann', last_name: write.name },
    };
  if (write.kind === 'role')
    return { ...who, method: 'POST', path: '/api/role', body: { org_id: by.orgId, role_name: write.name } };
  if (write.kind === 'removal') {
    const body = { org_id: by.orgId, role_id: write.roleId, new_role_id: by.roleId };
    return { ...who, method: 'DELETE', path: '/api/role', body };
  }
  return {
    ...who,
    method: 'POST',
    path: '/api/orgusers',
    body: { org_id: by.orgId, role_id: by.roleId, first_name: 'Guest', email_id: write.email },
  };
}

const outcomeOf = (status: number): Outcome => {
  if (status === 0 || status >= 500) return 'unknown';
  return status < 300 ? 'acknowledged' : 'refused';
};

const ALREADY_THERE = 409;

/** Which mails reached an address, by the jobs that sent them: a mail that came twice is one. */
export type Delivered = (email: string) => ReadonlySet<number>;

/**
 * The clients' own list of what they asked to have written and were told of it. A person's writes have to come one after
 * the other, or nobody could tell which name is the last.
 */
export class Ledger {
  readonly #entries: Entry[] = [];
  /** Roles that were acknowledged and that nobody has asked to remove. */
  readonly #standing: Write[] = [];

  record(write: Write, { status, body }: Pick<Reply, 'status'> & Partial<Pick<Reply, 'body'>>) {
    const outcome = outcomeOf(status);
    this.#entries.push({ ...write, outcome });
    const { Id: roleId } = (body?.response ?? {}) as { readonly Id?: number };
    if (write.kind === 'role' && outcome === 'acknowledged' && roleId !== undefined)
      this.#standing.push({ kind: 'removal', by: write.by, name: write.name, roleId });
  }

  /** The removal of a role that this person has made, if one stands that nobody has asked to remove. */
  removal(by: Person): Write | undefined {
    const at = this.#standing.findIndex((one) => one.by === by);
    return at < 0 ? undefined : this.#standing.splice(at, 1)[0];
  }

  count(outcome: Outcome) {
    return this.#entries.filter((entry) => entry.outcome === outcome).length;
  }

  /** Asks again for roles and invitations of unknown end, as a person would: each is there then, once, or was already. */
  async retry(ask: (asked: Asked) => Promise<Pick<Reply, 'status'>>): Promise<string[]> {
    const broken: string[] = [];
    for (const [at, entry] of this.#entries.entries()) {
      if (entry.outcome !== 'unknown' || entry.kind === 'name' || entry.kind === 'removal') continue;
      const { status } = await ask(callFor(entry));
      if (status === 200 || status === ALREADY_THERE)
        this.#entries[at] = { ...entry, outcome: 'acknowledged' };
      else broken.push(`a ${entry.kind} that was asked for again was answered ${status}`);
    }
    return broken;
  }

  /** How the database differs from what clients were told, in words; its rows of the activity log included. */
  async broken(sql: Db, delivered?: Delivered): Promise<string[]> {
    return [
      ...(await brokenNames(sql, this.#of('name'))),
      ...(await brokenRoles(sql, this.#of('role'), this.#of('removal'))),
      ...(await brokenRemovals(sql, this.#of('removal'))),
      ...(await brokenInvitations(sql, this.#of('invitation'), delivered)),
    ];
  }

  #of<K extends Write['kind']>(kind: K) {
    return this.#entries.filter((entry): entry is Entry & { kind: K } => entry.kind === kind);
  }
}

type Of<K extends Write['kind']> = readonly (Extract<Write, { kind: K }> & { readonly outcome: Outcome })[];

/** Each person's rows of the log lead from name to name, to the one that shows, and hold what was acknowledged and nothing that was refused. */
async function brokenNames(sql: Db, entries: Of<'name'>): Promise<string[]> {
  const broken: string[] = [];
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
    const steps = rows.flatMap(({ information }) => {
      const step = information['last_name'];
      return Array.isArray(step) ? [step as [string, string]] : [];
    });
    const logged = steps.map(([, after]) => after);
    for (const { name, outcome } of own) {
      const times = logged.filter((one) => one === name).length;
      if (times > (outcome === 'refused' ? 0 : 1))
        broken.push(`the ${outcome} name ${name} is in the log ${times} times`);
      if (times === 0 && outcome === 'acknowledged') broken.push(`the acknowledged name ${name} is lost`);
    }
    const order = own.filter(({ name }) => logged.includes(name)).map(({ name }) => name);
    const known = new Set(own.map(({ name }) => name));
    if (order.join() !== logged.filter((name) => known.has(name)).join())
      broken.push(`names of ${id} changed their order`);
    for (const [at, [before]] of steps.entries())
      if (at > 0 && before !== logged[at - 1])
        broken.push(`the log of ${id} skips from ${logged[at - 1]} to ${before}`);
    if (logged.length > 0 && logged.at(-1) !== shown)
      broken.push(`${id} is ${shown}, by the log ${logged.at(-1)}`);
  }
  return broken;
}

/** Roles that were acknowledged are there with one row of the log, refused ones are not, and those of unknown outcome are there whole or not at all. */
async function brokenRoles(sql: Db, entries: Of<'role'>, removals: Of<'removal'>): Promise<string[]> {
  const broken: string[] = [];
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
        broken.push(`the acknowledged role ${name} is lost`);
      if (times !== undefined && outcome === 'refused') broken.push(`the refused role ${name} is there`);
      if (times !== undefined && times !== 1) broken.push(`the role ${name} is in the log ${times} times`);
    }
  }
  return broken;
}

/** A role that was removed is gone, with one row of the log; one that still stands has none. */
async function brokenRemovals(sql: Db, entries: Of<'removal'>): Promise<string[]> {
  const broken: string[] = [];
  for (const { name, roleId, by, outcome } of entries) {
    const { stands, rows } = await sql
      .selectNoFrom((from) => [
        from
          .selectFrom('roles')
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .where('id', '=', roleId as RoleId)
          .$asScalar()
          .$notNull()
          .as('stands'),
        from
          .selectFrom('activity')
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .where('org_id', '=', by.orgId)
          .where('record_id', '=', roleId)
          .where('activity_type', '=', ACTIVITY_TYPE.roleInformation)
          .where('action', '=', ACTION.delete)
          .$asScalar()
          .$notNull()
          .as('rows'),
      ])
      .executeTakeFirstOrThrow();
    const isGone = stands === 0;
    if (!isGone && outcome === 'acknowledged') broken.push(`the acknowledged removal of ${name} is lost`);
    if (isGone && outcome === 'refused') broken.push(`the refused removal of ${name} is done`);
    if (rows !== Number(isGone)) broken.push(`the removal of ${name} is in the log ${rows} times`);
  }
  return broken;
}

/** An invitation is a member, a link, a row of the log and a mail: all of them once, or none. */
async function brokenInvitations(
  sql: Db,
  entries: Of<'invitation'>,
  delivered?: Delivered,
): Promise<string[]> {
  const broken: string[] = [];
  for (const { email, outcome, by } of entries) {
    const found = await sql
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
    const waiting = await sql
      .selectFrom('jobs')
      .select('id')
      .where('lane', '=', `mail:${email}`)
      .where('done_at', 'is', null)
      .execute();
    // One that was delivered may wait still, when its process ended right then.
    const mails = delivered ? new Set([...delivered(email), ...waiting.map(({ id }) => id)]).size : 1;
    if (!found) {
      if (outcome === 'acknowledged') broken.push(`the acknowledged invitation of ${email} is lost`);
      if (delivered && mails > 0) broken.push(`${email} was mailed an invitation that is not there`);
      continue;
    }
    if (outcome === 'refused') broken.push(`the refused invitation of ${email} is there`);
    const parts = { links: Number(found.links), rows: Number(found.rows), mails };
    for (const [part, count] of Object.entries(parts))
      if (count !== 1) broken.push(`the invitation of ${email} has ${count} ${part}`);
  }
  return broken;
}
