import type { Input } from '#contract/endpoint.ts';
import { refuse } from '#contract/errors.ts';
import { MEMBERS_PAGE_MAX } from '#contract/limits.ts';
import type { members } from '#contract/members.ts';
import { fieldText } from '#contract/text/fields.ts';
import type { OrgId } from '#contract/wire.ts';
import type { Deps } from '#server/deps.ts';
import { activeSuperAdmins, shownMembers, toMember } from '#server/members/data.ts';
import { countMembers, listPage } from '#server/members/directory/data.ts';
import { closeCursor, openCursor } from '#server/members/directory/rules.ts';

/** One page of the organization's members, how many the filter leaves in all, and how many Super Admins there are. */
export async function listDirectory({ sql }: Deps, orgId: OrgId, input: Input<typeof members.list>) {
  const { sort, limit = MEMBERS_PAGE_MAX, search, status, roleId } = input;
  const after = input.after === undefined ? undefined : openCursor(input.after, sort);
  if (input.after !== undefined && !after)
    return refuse('invalid_input', { fields: { after: fieldText.wrongType } });
  const filter = { search, status, roleId };
  const descending = input.descending === '1';
  // One more than asked for tells whether there is a next page.
  const shape = { sort, descending, after, limit: limit + 1 };
  const found = await listPage(sql, shownMembers(sql), orgId, filter, shape).execute();
  const page = found.slice(0, limit);
  const last = page.at(-1);
  const superAdmins = activeSuperAdmins(sql, orgId).select((query) =>
    query.fn.countAll<number>().as('count'),
  );
  const counts = await sql
    .selectNoFrom([
      countMembers(sql, orgId, filter).$asScalar().$notNull().as('total'),
      superAdmins.$asScalar().$notNull().as('superAdmins'),
    ])
    .executeTakeFirstOrThrow();
  return {
    members: page.map(toMember),
    next: last && found.length > limit ? closeCursor(last) : null,
    ...counts,
  };
}
