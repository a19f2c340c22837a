// Shows and exports the activity log. Each reader gets only the rows and names that they may see.
import { logFor } from '#contract/activity/recorded.ts';
import {
  ABOUT_PEOPLE,
  ABOUT_ROLES,
  type activity,
  type AuditLog,
  type Download,
  DIRECTORY_ID,
  OPERATOR_ID,
  type ActivityOrigin,
  type ActivityCursor,
} from '#contract/activity/calls.ts';
import type { Rank } from '#contract/members/authority.ts';
import type { Input } from '#contract/endpoint.ts';
import { Refusal, refuse } from '#contract/errors.ts';
import { ACTIVITY_PAGE_MAX } from '#contract/limits.ts';
import { activityValuesText } from '#words/activity-values.ts';
import { fieldText } from '#words/field.ts';
import type { OrgId, RoleId, UserId } from '#contract/wire.ts';
import { type ActivityRow, type Filter, listIds, listRows, recordActivity } from './data.ts';
import { namesOfPeople, namesOfRoles } from './data-names.ts';
import { kindsOf, seesOrigin } from './rules.ts';
import { type Batch, cellsOf, csvOf, entryOf, jsonOf, type Names } from './shown.ts';
import { type Db, transaction } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { servesAccount } from '#server/access/data.ts';
import { hideIds, revealId } from '#server/opaque-ids.ts';
import { logStandIn } from '#server/stand-in.ts';

type Reader = {
  readonly userId: UserId;
  readonly scope: { readonly orgId: OrgId; readonly rank: Rank } | null;
  /** Only a company has vouched for them, so their own rows leave out those of their account. */
  readonly isReduced?: boolean;
};
type Asker = Parameters<typeof servesAccount>[1] & Pick<Reader, 'userId'>;
export const findReader = async (sql: Db, asker: Asker, scope: Reader['scope']): Promise<Reader> => {
  const isReduced = !(await servesAccount(sql, asker));
  return { userId: asker.userId, scope, isReduced };
};

type ListInput = Input<typeof activity.list>;
type ExportInput = Input<typeof activity.export>;
type FilterInput = Omit<ListInput, 'after' | 'limit'>;

const EXPORTED_AT_ONCE = 500;

export async function listActivity(deps: Deps, reader: Reader, input: ListInput) {
  const { sql, keys } = deps;
  const filter = filterOf(reader, input);
  if (filter instanceof Refusal) return filter;
  const { limit = ACTIVITY_PAGE_MAX, after } = input;
  const cursor = after && { ...after, id: revealId(keys, 'activity', after.id) };
  // One row more than requested shows whether there is a next page.
  const available = await readRows(sql, filter, limit + 1, cursor);
  const rows = available.slice(0, limit);
  const { shown: shownRows, names } = await peopleIn(deps, reader, rows);
  return {
    audit: shownRows.map((row) => toAuditLog(row, names, reader)),
    userNames: names,
    roleInfo: await rolesIn(sql, reader, rows),
    next: available.length > limit ? cursorOf(shownRows) : null,
  };
}

/** Exports all matching rows, in batches while the file is sent. The log row comes before the first byte. */
export async function exportActivity(
  deps: Deps,
  reader: Reader,
  input: ExportInput,
): Promise<Download | Refusal<'invalid_input' | 'not_allowed' | 'org_not_found' | 'too_many_requests'>> {
  const filter = filterOf(reader, input);
  if (filter instanceof Refusal) return filter;
  const tooMany = await deps.limiter.take('exportsHour', `user ${reader.userId}`);
  if (tooMany) return tooMany;
  // Read before the export is logged, so that the file does not contain its own row.
  const firstRows = await readRows(deps.sql, filter, EXPORTED_AT_ONCE);
  const orgId = reader.scope?.orgId ?? null;
  await transaction(deps.sql, (tx) =>
    recordActivity(tx, deps, `${logFor(orgId)}.auditLog.read`, {
      orgId,
      userId: reader.userId,
      information: parametersOf(reader, input),
    }),
  );
  const day = deps.clock.now().toISOString().slice(0, 10);
  const batches = batchesOf(deps, reader, filter, firstRows);
  return input.format === 'csv'
    ? { mediaType: 'text/csv; charset=utf-8', fileName: `activity-${day}.csv`, content: csvOf(batches) }
    : { mediaType: 'application/json', fileName: `activity-${day}.json`, content: jsonOf(batches) };
}

/** Admins see the organization's rows unless they request their own. Other people see their own. */
const scopeOf = ({ scope }: Reader, input: FilterInput) =>
  input.scope ?? (scope && scope.rank !== 'member' ? 'organization' : 'mine');

function filterOf(reader: Reader, input: FilterInput) {
  if (input.from && input.to && input.from > input.to)
    return refuse('invalid_input', { fields: { to: fieldText.wrongType } });
  const { userId: self, scope } = reader;
  const limits = { kinds: kindsOf(input), from: input.from, to: input.to };
  if (scopeOf(reader, input) === 'organization') {
    if (!scope) return refuse('invalid_input', { fields: { org_id: fieldText.required } });
    if (scope.rank === 'member') return refuse('not_allowed');
    const ifJoined = input.userId !== undefined && input.userId !== self;
    return { ...limits, parts: [{ orgId: scope.orgId, userId: input.userId, ifJoined }] };
  }
  if (input.userId !== undefined && input.userId !== self) return refuse('not_allowed');
  const there = scope ? [{ orgId: scope.orgId, userId: self }] : [];
  return { ...limits, parts: [...there, ...(reader.isReduced ? [] : [{ orgId: null, userId: self }])] };
}

const parametersOf = (reader: Reader, input: ExportInput) => ({
  format: input.format,
  scope: scopeOf(reader, input),
  module: input.module,
  activity_type: input.activityType,
  action: input.action,
  user_id: input.userId,
  from: input.from,
  to: input.to,
});

async function readRows(
  sql: Db,
  filter: Filter,
  limit: number,
  after?: ActivityCursor,
): Promise<ActivityRow[]> {
  const { rows } = await listIds(sql, filter, limit, after);
  const ids = rows.map(({ id }) => id);
  return ids.length === 0 ? [] : listRows(sql, ids);
}

const cursorOf = (rows: readonly Pick<ActivityRow, 'created_at' | 'id'>[]): ActivityCursor | null => {
  const last = rows.at(-1);
  return last ? { createdAt: last.created_at, id: last.id } : null;
};

type Person = Awaited<ReturnType<typeof namesOfPeople>>[number];

const recordsIn = (rows: readonly ActivityRow[], types: readonly number[]) =>
  rows.flatMap(({ activity_type: type, record_id: id }) => (id !== null && types.includes(type) ? [id] : []));

/** A person who never joined has a stand-in id, so that nothing discloses whether they have an account. */
async function peopleIn(
  { sql, keys }: Pick<Deps, 'sql' | 'keys'>,
  reader: Reader,
  rows: readonly ActivityRow[],
) {
  const orgId = reader.scope?.orgId ?? null;
  const ids = new Set([...rows.map(({ user_id: id }) => id), ...(recordsIn(rows, ABOUT_PEOPLE) as UserId[])]);
  const list = ids.size === 0 ? [] : await namesOfPeople(sql, orgId, [...ids]);
  const people = new Map(list.map((person) => [person.id, person]));
  const names: Record<string, string> = {};
  const isHidden = (id: UserId) =>
    id !== reader.userId && id > OPERATOR_ID && people.get(id)?.hasJoined === false;
  const shown = rows.map((row) => {
    const idOf = (id: UserId) => (isHidden(id) ? logStandIn(keys, row.id, id) : id);
    const [about] = recordsIn([row], ABOUT_PEOPLE) as UserId[];
    for (const id of about === undefined ? [row.user_id] : [row.user_id, about])
      names[idOf(id)] = personName(people.get(id), isHidden(id));
    return { ...row, user_id: idOf(row.user_id), record_id: about ? idOf(about) : row.record_id };
  });
  return { shown: hideIds(keys, 'activity', shown), names };
}

function personName(person: Person | undefined, isHidden: boolean): string {
  if ((person?.id as number) === OPERATOR_ID) return activityValuesText.operator;
  if ((person?.id as number) === DIRECTORY_ID) return activityValuesText.directory;
  if (person?.name) return person.name;
  return isHidden || person?.hasAccount ? activityValuesText.formerMember : activityValuesText.deletedUser;
}

async function rolesIn(sql: Db, { scope }: Reader, rows: readonly ActivityRow[]): Promise<Names> {
  const ids = [...new Set(recordsIn(rows, ABOUT_ROLES))] as RoleId[];
  if (!scope || ids.length === 0) return {};
  const roles = await namesOfRoles(sql, scope.orgId, ids);
  return Object.fromEntries(roles.map(({ id, name }) => [id, name]));
}

function toAuditLog(row: ActivityRow, names: Names, reader: Reader): AuditLog {
  const moment = row.created_at.toISOString();
  return {
    id: row.id,
    date: moment.slice(0, 10),
    time: moment.slice(11),
    createdAt: row.created_at,
    action: row.action,
    module: row.module,
    activityType: row.activity_type,
    recordId: row.record_id,
    createdBy: names[row.user_id] ?? activityValuesText.deletedUser,
    userId: row.user_id,
    information: row.information,
    origin: originOf(row, reader),
  };
}

function originOf(row: ActivityRow, { userId, scope }: Reader): ActivityOrigin | undefined {
  const { ip_address: ipAddress, browser, system, location } = row;
  if (ipAddress === null || !seesOrigin({ userId, rank: scope?.rank }, row)) return undefined;
  return { ipAddress, browser, system, location } as ActivityOrigin;
}

/** As all Super Admins may see it; so the reader is nobody, because a person sees more of their own acts. */
export const logOf = (deps: Deps, orgId: OrgId) =>
  entriesOf(
    deps,
    { userId: OPERATOR_ID as UserId, scope: { orgId, rank: 'superAdmin' } },
    { parts: [{ orgId }] },
  );

/** A person's acts in batches: those of their own log, and those in an organization as a member sees their own. */
export const actsOf = (deps: Deps, userId: UserId, orgId: OrgId | null) =>
  entriesOf(
    deps,
    { userId, scope: orgId === null ? null : { orgId, rank: 'member' } },
    { parts: [{ orgId, userId }] },
  );

type Account = { readonly userId: UserId; readonly orgIds: readonly OrgId[] };
export async function newestActs(
  deps: Pick<Deps, 'sql' | 'keys'>,
  { userId, orgIds }: Account,
  limit: number,
) {
  const reader = { userId, scope: null };
  const parts = [null, ...orgIds].map((orgId) => ({ orgId, userId }));
  const rows = await readRows(deps.sql, { parts }, limit);
  const { shown, names } = await peopleIn(deps, reader, rows);
  return shown.map((row) => {
    const { time, what, changes, origin } = cellsOf(toAuditLog(row, names, reader), names);
    return { at: time, what, changes, origin };
  });
}

async function* entriesOf(deps: Deps, reader: Reader, filter: Filter) {
  const firstRows = await readRows(deps.sql, filter, EXPORTED_AT_ONCE);
  for await (const { rows, names } of batchesOf(deps, reader, filter, firstRows))
    yield rows.map((row) => entryOf(row, names));
}

/** Each batch is a query of its own, which runs once the batch before is sent. No transaction stays open. */
async function* batchesOf(
  deps: Deps,
  reader: Reader,
  filter: Filter,
  firstRows: ActivityRow[],
): AsyncGenerator<Batch> {
  for (let rows = firstRows; rows.length > 0;) {
    const { shown, names } = await peopleIn(deps, reader, rows);
    yield { rows: shown.map((row) => toAuditLog(row, names, reader)), names };
    const end = cursorOf(rows);
    rows =
      end && rows.length === EXPORTED_AT_ONCE ? await readRows(deps.sql, filter, EXPORTED_AT_ONCE, end) : [];
  }
}
