import { type RawBuilder, sql } from 'kysely';
import { ACTION, ACTIVITY_TYPE } from '#contract/activity/calls.ts';
import { personName } from '#contract/profile/person-name.ts';
import type { OrgId, RoleId, UserId } from '#contract/wire.ts';
import type { Db } from '#server/db/connect.ts';
import { hiddenValue, prepared } from '#server/db/prepared.ts';

type Ids<Id> = { readonly ids: readonly Id[] };
type PersonName = {
  readonly id: UserId;
  /** From the membership, or as logged when it ended; without an organization from the profile. */
  readonly words: Parameters<typeof personName> | null;
  readonly hasAccount: boolean;
  /** Whether they are or were a member. An invitation alone does not count. */
  readonly hasJoined: boolean;
};
/** The names of people in an organization; without one, the names of their profiles. */
export async function namesOfPeople(database: Db, orgId: OrgId | null, ids: readonly UserId[]) {
  const people = await peopleNamed(database, { orgId, ids }, orgId === null ? 'own' : 'there');
  return people.map(({ words, ...person }) => ({ ...person, name: words && personName(...words) }));
}
const peopleNamed = prepared(
  (_, { orgId, ids }: Ids<UserId> & { readonly orgId: OrgId | null }, name: 'own' | 'there') => {
    const inOrganization = name === 'there';
    return sql<PersonName>`
    select person.id, ${inOrganization ? nameIn(orgId) : ownName} as words, users.id is not null as "hasAccount",
      ${inOrganization ? hasJoined(orgId, sql`person.id`) : sql`true`} as "hasJoined"
    from unnest(${hiddenValue(ids, 'bigint[]')}) as person (id) left join users on users.id = person.id`;
  },
);

const ownName = sql`case when users.id is not null then json_build_array(first_name, last_name, email) end`;

const nameIn = (orgId: OrgId | null) => sql`coalesce(
  (select json_build_array(first_name, last_name, email_key) from memberships
    where user_id = person.id and org_id = ${orgId}),
  (select json_build_array(coalesce(information->'name'->>1, information->'name'->>0), '', null) from activity
    where record_id = person.id and org_id = ${orgId} and (${kind('invitedContact', 'delete')}
      or ${kind('invitationAnswer', 'delete')} or ${kind('joining', 'create')})
    order by id desc limit 1))`;
const kind = (type: keyof typeof ACTIVITY_TYPE, action: keyof typeof ACTION) =>
  sql`(activity_type = ${sql.lit(ACTIVITY_TYPE[type])} and action = ${sql.lit(ACTION[action])})`;
/** Types of acts by people who need not be members. */
const OF_OTHERS = (['invitedContact', 'deleteAccount', 'invitationAnswer', 'joining'] as const).map((type) =>
  sql.lit(ACTIVITY_TYPE[type]),
);

/** Member, once joined, or did what only members do. `limit` spares a hash. */
export const hasJoined = (orgId: OrgId | null, id: RawBuilder<unknown>) => sql`coalesce(
  (select true from memberships where user_id = ${id} and org_id = ${orgId} and status <> 1),
  (select true from activity where record_id = ${id} and org_id = ${orgId}
    and (${kind('invitationAnswer', 'create')} or ${kind('joining', 'update')}) limit 1),
  (select true from activity where user_id = ${id} and org_id = ${orgId} and activity_type not in (${sql.join(OF_OTHERS)}) limit 1),
  false)`;

export const namesOfRoles = (database: Db, orgId: OrgId, ids: readonly RoleId[]) =>
  rolesNamed(database, { orgId, ids });
const rolesNamed = prepared((database, { orgId, ids }: Ids<RoleId> & { readonly orgId: OrgId }) =>
  database
    .selectFrom('roles')
    .select(['id', 'name'])
    .where('org_id', '=', orgId)
    .where('id', '=', sql<RoleId>`any(${hiddenValue(ids, 'bigint[]')})`),
);
