import type { Input } from '#contract/endpoint.ts';
import { refuse } from '#contract/errors.ts';
import { MEMBERS_PAGE_MAX } from '#contract/limits.ts';
import type { members } from '#contract/members.ts';
import { fieldText } from '#contract/text/fields.ts';
import type { OrgId } from '#contract/wire.ts';
import type { Db } from '#server/db/connect.ts';
import { prepared, preparedTogether } from '#server/db/prepared.ts';
import type { Deps } from '#server/deps.ts';
import { activeSuperAdmins, inOneValue, shownMembers, toMember } from '#server/members/data.ts';
import {
  countMembers,
  type Filter,
  type Form,
  listPage,
  only,
  partsOf,
} from '#server/members/directory/data.ts';
import { closeCursor, type Cursor, openCursor } from '#server/members/directory/rules.ts';

type Sought = Filter & Partial<Cursor> & { readonly orgId: OrgId; readonly limit?: number };

const directoryOf = (sql: Db, sought: Sought, form: string) => {
  const { filtered, isDeep, ...order } = JSON.parse(form) as Form;
  const { orgId, key = '', id = 0, limit = 0 } = sought;
  const page = { ...order, after: isDeep ? { key, id } : undefined, limit };
  const filter = only(sought, filtered);
  const superAdmins = activeSuperAdmins(sql, orgId).select((query) =>
    query.fn.countAll<number>().as('count'),
  );
  return sql.selectNoFrom([
    inOneValue(listPage(sql, shownMembers(sql), orgId, filter, page)).as('found'),
    countMembers(sql, orgId, filter).$asScalar().$notNull().as('total'),
    superAdmins.$asScalar().$notNull().as('superAdmins'),
  ]);
};
const directoryAlone = prepared(directoryOf, 'each time');

/**
 * What takes longer the larger the organization, so that nobody else's page is to wait for it: who is found is counted one
 * by one, and who has one role and one status is sought among those who have the one.
 */
const takesLong = ({ search, status, roleId }: Filter) => Boolean(search) || (status && roleId);

/** Lists a page of an organization's members, how many the filter leaves in all, and how many Super Admins there are. */
export function createDirectory({ sql }: Deps) {
  const ask = preparedTogether(sql, directoryOf);
  const askAlone = async (sought: Sought, form: string) => (await directoryAlone(sql, sought, form)).at(0);

  return async (orgId: OrgId, input: Input<typeof members.list>) => {
    const { sort, limit = MEMBERS_PAGE_MAX, search, status, roleId } = input;
    const after = input.after === undefined ? undefined : openCursor(input.after, sort);
    if (input.after !== undefined && !after)
      return refuse('invalid_input', { fields: { after: fieldText.wrongType } });
    const filter = { search, status, roleId };
    const descending = input.descending === '1';
    const form: Form = { filtered: partsOf(filter), sort, descending, isDeep: after !== undefined };
    // One more than asked for tells whether there is a next page.
    const sought = { ...filter, ...after, orgId, limit: limit + 1 };
    const directory = await (takesLong(filter) ? askAlone : ask)(sought, JSON.stringify(form));
    if (!directory) throw new Error('the directory was not told');
    const { found, ...counts } = directory;
    const page = found.slice(0, limit);
    const last = page.at(-1);
    return {
      members: page.map(toMember),
      next: last && found.length > limit ? closeCursor(last) : null,
      ...counts,
    };
  };
}
