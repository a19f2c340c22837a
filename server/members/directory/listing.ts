import { domainToASCII } from 'node:url';
import type { Input } from '#contract/endpoint.ts';
import { refuse } from '#contract/errors.ts';
import { MEMBERS_PAGE_MAX } from '#contract/limits.ts';
import type { members } from '#contract/members/calls.ts';
import { fieldText } from '#words/field.ts';
import { refusalText } from '#words/refusal.ts';
import type { OrgId, UserId } from '#contract/wire.ts';
import type { Db } from '#server/db/connect.ts';
import { prepared, preparedTogether } from '#server/db/prepared.ts';
import type { Deps } from '#server/deps.ts';
import type { OrgActor } from '#server/members/actions.ts';
import { findShownUserId, listMembers, shownMembers, type ShownRow, toMember } from '#server/members/data.ts';
import { directoryQuery, type Filter, type Form, pick, partsOf } from './data.ts';
import { closeCursor, type Cursor, openCursor } from './rules.ts';
import { activeSuperAdmins, countSuperAdmins } from '#server/members/standing/data.ts';

type DirectoryQuery = Filter & Partial<Cursor> & { readonly orgId: OrgId; readonly limit?: number };

type DirectoryRow = ShownRow & { readonly key: string };

const directoryOf = (sql: Db, values: DirectoryQuery, form: string) => {
  const { filtered, isDeep, ...order } = JSON.parse(form) as Form;
  const { orgId, key = '', id = 0, limit = 0 } = values;
  const page = { ...order, after: isDeep ? { key, id } : undefined, limit };
  const from = { members: shownMembers(sql), superAdmins: activeSuperAdmins(sql, orgId) };
  return directoryQuery<DirectoryRow>(sql, from, { orgId, filter: pick(values, filtered), page });
};
const directoryAlone = prepared(directoryOf, 'each time');

/** Slower in a larger organization, so it runs alone and no other caller's page waits for it. */
const takesLong = ({ search, status, roleId, lacksStep, unlinked }: Filter) =>
  Boolean(search) || (status && roleId) || lacksStep || unlinked;

/** One member, for the popup about them. The list is empty if they are gone. */
async function listOne(sql: Db, orgId: OrgId, shownId: UserId) {
  const userId = await findShownUserId(sql, orgId, shownId);
  const rows = userId === undefined ? [] : await listMembers(sql, orgId, userId);
  // A person's own id finds nobody until they join.
  const members = rows.filter((member) => userId !== shownId || member.userId === shownId);
  const superAdmins = await countSuperAdmins(sql, orgId);
  return { members, next: null, total: members.length, superAdmins };
}

/** Converts the domain in a search for an address to ASCII, because addresses are stored that way. */
function inAscii(search: string): string {
  const at = search.lastIndexOf('@') + 1;
  const domain = /\s/.test(search) ? '' : domainToASCII(search.slice(at));
  return domain === '' ? search : search.slice(0, at) + domain;
}

export function openDirectory({ sql }: Deps) {
  const ask = preparedTogether(sql, directoryOf);
  const askAlone = async (query: DirectoryQuery, form: string) =>
    (await directoryAlone(sql, query, form)).at(0);

  return async ({ orgId, rank }: OrgActor, input: Input<typeof members.list>) => {
    if (input.userId !== undefined) return listOne(sql, orgId, input.userId);
    const { sort, limit = MEMBERS_PAGE_MAX, search, status, roleId, lacksStep, unlinked } = input;
    if (lacksStep && rank !== 'superAdmin')
      return refuse('super_admin_only', { details: refusalText.superAdminOfSecondSteps });
    if (unlinked && rank !== 'superAdmin')
      return refuse('super_admin_only', { details: refusalText.superAdminOfCompanySignIn });
    const after = input.after === undefined ? undefined : openCursor(input.after, sort);
    if (input.after !== undefined && !after)
      return refuse('invalid_input', { fields: { after: fieldText.wrongType } });
    const filter = { search, inAscii: search && inAscii(search), status, roleId, lacksStep, unlinked };
    const descending = input.descending === '1';
    const form: Form = { filtered: partsOf(filter), sort, descending, isDeep: after !== undefined };
    // One row more than requested shows whether there is a next page.
    const query = { ...filter, ...after, orgId, limit: limit + 1 };
    const directory = await (takesLong(filter) ? askAlone : ask)(query, JSON.stringify(form));
    if (!directory) throw new Error('the query of the directory returned no row');
    const { members: rows, ...counts } = directory;
    const page = rows.slice(0, limit);
    const last = page.at(-1);
    return {
      members: page.map(toMember),
      next: last && rows.length > limit ? closeCursor(last) : null,
      ...counts,
    };
  };
}
