import { Refusal } from '#contract/errors.ts';
import { DIRECTORY_GROUPS_PER_ORGANIZATION_MAX } from '#contract/limits.ts';
import type { OrgId, RoleId } from '#contract/wire.ts';
import {
  addToGroup,
  deleteScimGroup,
  type Directory,
  findGroupNamed,
  findGroupRoles,
  findScimGroup,
  findScimUser,
  findUserIds,
  insertScimGroup,
  listGroupMembers,
  listScimGroups,
  removeFromGroup,
  type ScimGroup,
  updateScimGroup,
} from '#server/company-sign-in/scim/data.ts';
import { isId } from '#server/company-sign-in/scim/filters.ts';
import {
  type GroupFields,
  newGroup,
  patchGroup,
  replaceGroup,
} from '#server/company-sign-in/scim/patches.ts';
import { asDirectory, type Author, change } from '#server/company-sign-in/scim/people.ts';
import { invalid, ScimRefusal, taken, unknown } from '#server/company-sign-in/scim/refusals.ts';
import { memberOf } from '#server/company-sign-in/scim/users.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';

type Body = Readonly<Record<string, unknown>>;

export const getGroup = async (sql: Db, orgId: OrgId, id: string) =>
  (isId(id) ? await findScimGroup(sql, orgId, id) : undefined) ?? unknown('group');

const idsIn = async (sql: Db, id: string) =>
  new Set((await listGroupMembers(sql, [id])).get(id)?.map((member) => member.id));

export const createGroup = (deps: Deps, directory: Directory, body: Body) =>
  asDirectory(deps, directory, async (tx, author) => {
    const group = replaceGroup(newGroup, body);
    if (group instanceof ScimRefusal) return group;
    const { total } = await listScimGroups(tx, author.orgId, [], { offset: 0, limit: 0 });
    if (total >= DIRECTORY_GROUPS_PER_ORGANIZATION_MAX)
      return new ScimRefusal(403, `An organization has at most ${total} groups.`);
    return save(tx, deps, author, undefined, group);
  });

export const changeGroup = (
  deps: Deps,
  directory: Directory,
  id: string,
  how: typeof patchGroup,
  body: Body,
) =>
  asDirectory(deps, directory, async (tx, author) => {
    const before = await getGroup(tx, author.orgId, id);
    if (before instanceof ScimRefusal) return before;
    const fields = { ...before, members: await idsIn(tx, before.id) };
    const group = how(fields, body);
    return group instanceof ScimRefusal ? group : save(tx, deps, author, before, group, fields.members);
  });

export const deleteGroup = (deps: Deps, directory: Directory, id: string) =>
  asDirectory(deps, directory, async (tx, author) => {
    const before = await getGroup(tx, author.orgId, id);
    if (before instanceof ScimRefusal) return before;
    const members = await idsIn(tx, before.id);
    return withRoles(tx, deps, author, [...members], async () => {
      await deleteScimGroup(tx, before.id);
      return undefined;
    });
  });

async function save(
  tx: Tx,
  deps: Deps,
  author: Author,
  before: ScimGroup | undefined,
  group: GroupFields,
  members: ReadonlySet<string> = new Set(),
) {
  const { orgId } = author;
  const now = deps.clock.now();
  const other = await findGroupNamed(tx, orgId, group.displayName);
  if (other && other.id !== before?.id) return taken('A group has this name already.');
  const added = [...group.members].filter((id) => !members.has(id));
  const removed = [...members].filter((id) => !group.members.has(id));
  const known = added.every(isId) ? await findUserIds(tx, orgId, added) : [];
  if (known.length < added.length)
    return invalid('invalidValue', 'A member is no user of this organization.');
  return withRoles(tx, deps, author, [...added, ...removed], async () => {
    const row = { display_name: group.displayName, external_id: group.externalId };
    const id = before
      ? before.id
      : (await insertScimGroup(tx, { org_id: orgId, ...row, changed_at: now })).id;
    if (before) await updateScimGroup(tx, id, row, now);
    if (added.length > 0) await addToGroup(tx, id, added);
    if (removed.length > 0) await removeFromGroup(tx, id, removed);
    return getGroup(tx, orgId, id);
  });
}

/** Runs a change of groups, and then gives its users the roles of their groups. The last group leaves the usual role. */
export async function withRoles<T>(
  tx: Tx,
  deps: Deps,
  author: Author,
  userIds: readonly string[],
  run: () => Promise<T | Refusal>,
) {
  const before = await findGroupRoles(tx, userIds);
  const done = await run();
  if (done instanceof Refusal) return done;
  const after = await findGroupRoles(tx, userIds);
  for (const id of userIds) {
    const [former, roleId] = [before.get(id), after.get(id)];
    const refusal =
      former === roleId ? undefined : await giveRole(tx, deps, author, id, roleId ?? author.roleId);
    if (refusal) return refusal;
  }
  return done;
}

async function giveRole(tx: Tx, deps: Deps, author: Author, id: string, roleId: RoleId | null) {
  const user = await findScimUser(tx, author.orgId, id);
  const member = user && (await memberOf(tx, author.orgId, user));
  return member && change(tx, deps, author, member, { roleId });
}
