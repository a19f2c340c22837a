import { setImmediate as turn } from 'node:timers/promises';
import { Refusal } from '#contract/errors.ts';
import { DIRECTORY_GROUPS_PER_ORGANIZATION_MAX } from '#contract/limits.ts';
import type { OrgId } from '#contract/wire.ts';
import { recordActivity } from '#server/activity/data.ts';
import { changes } from '#server/activity/rules.ts';
import {
  countGroups,
  deleteScimGroup,
  type Directory,
  findGroupNamed,
  findScimGroup,
  insertScimGroup,
  renameScimGroup,
  type ScimGroup,
} from './data.ts';
import { findUserIds, listGroupMembers, moveGroupMembers, PORTION, READ_PORTION } from './data-members.ts';
import { isId } from './filters.ts';
import { type GroupFields, newGroup, noEdit, patchGroup, replaceGroup } from './patches.ts';
import { asDirectory, type Author } from './people.ts';
import { ScimRefusal, takenError, unknown } from './refusals.ts';
import { followGroups, followLater } from './roles.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';

type Body = Readonly<Record<string, unknown>>;
/** Of all groups together. */
const MEMBERS_MAX = 100_000;

export const getGroup = async (sql: Db, orgId: OrgId, id: string) =>
  (isId(id) ? await findScimGroup(sql, orgId, id) : undefined) ?? unknown('group');

/** All members of groups, read in portions. */
export async function readMembers(sql: Db, groups: readonly { readonly id: string }[]) {
  const members = new Map(groups.map(({ id }) => [id, [] as { id: string; userName: string }[]]));
  const ids = [...members.keys()];
  let after: Awaited<ReturnType<typeof listGroupMembers>>[number] | undefined;
  do {
    const rows = ids.length === 0 ? [] : await listGroupMembers(sql, ids, after, READ_PORTION);
    for (const { groupId, ...member } of rows) members.get(groupId)?.push(member);
    after = rows.length < READ_PORTION ? undefined : rows.at(-1);
    await turn();
  } while (after);
  return members;
}

/** A group after a change, and the members that are no users of the organization. */
export type ChangedGroup = { readonly group: ScimGroup; readonly refused: readonly string[] };

export const createGroup = (deps: Deps, directory: Directory, body: Body) =>
  save(deps, directory, undefined, () => replaceGroup(newGroup, body));

export const changeGroup = (
  deps: Deps,
  directory: Directory,
  id: string,
  how: typeof patchGroup,
  body: Body,
) => save(deps, directory, id, (before) => how(before, body));

/** Names and the first portion of members change in one transaction, and further portions in one each. */
async function save(
  deps: Deps,
  directory: Directory,
  id: string | undefined,
  how: (before: GroupFields) => GroupFields | ScimRefusal,
): Promise<ChangedGroup | Refusal> {
  const shown = id === undefined ? undefined : await getGroup(deps.sql, directory.orgId, id);
  if (shown instanceof ScimRefusal) return shown;
  const wished = how(shown ? { ...shown, members: noEdit } : newGroup);
  if (wished instanceof ScimRefusal) return wished;
  const edits = await editsOf(deps.sql, shown, wished);
  const refused: string[] = [];
  let group: ScimGroup | undefined;
  for (let at = 0; at === 0 || at < edits.length; at += PORTION) {
    const portion = edits.slice(at, at + PORTION);
    const done = await asDirectory(deps, directory, async (tx, author) => {
      const now = group ?? (await saveNames(tx, deps, author, shown, wished));
      if (now instanceof ScimRefusal) return now;
      const unknownIds = await movePortion(tx, deps, author, now, portion);
      if (unknownIds instanceof ScimRefusal) return unknownIds;
      const after = await getGroup(tx, author.orgId, now.id);
      return after instanceof ScimRefusal ? after : { after, unknownIds };
    });
    if (done instanceof Refusal) return done;
    group = done.after;
    refused.push(...done.unknownIds);
    await turn();
  }
  if (!group) throw new Error('no portion was saved');
  if (group.roleId !== null && edits.length > 0) await followGroups(deps, directory.orgId);
  return { group, refused };
}

type Edit = readonly [id: string, isIn: boolean];
async function editsOf(sql: Db, before: ScimGroup | undefined, { members }: GroupFields): Promise<Edit[]> {
  const edits = [...members.ids];
  if (!before || !members.isFresh) return edits;
  const former = (await readMembers(sql, [before])).get(before.id) ?? [];
  const others = former.filter(({ id }) => members.ids.get(id) !== true);
  const known = new Set(former.map(({ id }) => id));
  return [
    ...others.map(({ id }): Edit => [id, false]),
    ...edits.filter(([id, isIn]) => isIn && !known.has(id)),
  ];
}

async function saveNames(
  tx: Tx,
  deps: Deps,
  author: Author,
  shown: ScimGroup | undefined,
  wished: GroupFields,
) {
  const { displayName, externalId } = wished;
  const { orgId } = author;
  const now = deps.clock.now();
  const before = shown && (await getGroup(tx, orgId, shown.id));
  if (before instanceof ScimRefusal) return before;
  const isSame = before?.displayName === displayName && before.externalId === externalId;
  if (before && isSame) return before;
  const other = await findGroupNamed(tx, orgId, displayName);
  if (other && other.id !== before?.id)
    return takenError(
      `Another group has the name ${JSON.stringify(other.displayName)}${ofDirectory(other)}.`,
    );
  const names = { display_name: displayName, external_id: externalId };
  if (before) await renameScimGroup(tx, before.id, names, now);
  else if ((await countGroups(tx, orgId)).groups >= DIRECTORY_GROUPS_PER_ORGANIZATION_MAX)
    return new ScimRefusal(
      403,
      `An organization has at most ${DIRECTORY_GROUPS_PER_ORGANIZATION_MAX} groups.`,
    );
  const id = before?.id ?? (await insertScimGroup(tx, { org_id: orgId, ...names, changed_at: now })).id;
  const information = {
    directory_group: displayName,
    ...(before && changes(logFields(before), logFields(wished))),
  };
  await record(tx, deps, author, before ? 'update' : 'create', information);
  return getGroup(tx, orgId, id);
}
const ofDirectory = ({ externalId }: ScimGroup) =>
  externalId === '' ? '' : ` (externalId ${JSON.stringify(externalId)})`;
const logFields = ({ displayName, externalId }: Pick<GroupFields, 'displayName' | 'externalId'>) => ({
  directory_group: displayName,
  external_id: externalId,
});

type Information = Parameters<typeof recordActivity<'organization.directoryGroup.update'>>[3]['information'];
const record = (
  tx: Tx,
  deps: Deps,
  { orgId, userId }: Author,
  action: 'create' | 'update' | 'delete',
  information: NonNullable<Information>,
) => recordActivity(tx, deps, `organization.directoryGroup.${action}`, { orgId, userId, information });

/** Changes the members of one portion, and returns the ids that are no users of the organization. */
async function movePortion(tx: Tx, deps: Deps, author: Author, group: ScimGroup, portion: readonly Edit[]) {
  const asked = portion.filter(([, isIn]) => isIn).map(([id]) => id);
  const added = asked.length === 0 ? [] : await findUserIds(tx, author.orgId, asked.filter(isId));
  const removed = portion.filter(([id, isIn]) => !isIn && isId(id)).map(([id]) => id);
  if (added.length > 0 && (await countGroups(tx, author.orgId)).members + added.length > MEMBERS_MAX)
    return new ScimRefusal(403, `The groups of an organization have at most ${MEMBERS_MAX} members.`);
  const known = new Set(added);
  if (added.length + removed.length > 0) await move(tx, deps, author, group, { added, removed });
  return asked.filter((id) => !known.has(id));
}

async function move(
  tx: Tx,
  deps: Deps,
  author: Author,
  group: ScimGroup,
  edit: { readonly added: readonly string[]; readonly removed: readonly string[] },
) {
  const moved = await moveGroupMembers(tx, group.id, edit, deps.clock.now());
  if (!moved) return;
  if (moved.hasRole) await followLater(tx, deps, author.orgId);
  await record(tx, deps, author, 'update', {
    directory_group: group.displayName,
    directory_members: [moved.before, moved.after],
  });
}

/** Its members leave first, in portions. */
export async function deleteGroup(deps: Deps, directory: Directory, id: string) {
  for (;;) {
    const done = await asDirectory(deps, directory, async (tx, author) => {
      const group = await getGroup(tx, author.orgId, id);
      if (group instanceof ScimRefusal) return group;
      const rows = await listGroupMembers(tx, [id], undefined, PORTION);
      await move(tx, deps, author, group, { added: [], removed: rows.map((member) => member.id) });
      if (rows.length === PORTION) return 'more';
      await deleteScimGroup(tx, id);
      await record(tx, deps, author, 'delete', { directory_group: group.displayName });
      return group.roleId === null ? 'done' : 'due';
    });
    if (done instanceof Refusal) return done;
    if (done === 'due') await followGroups(deps, directory.orgId);
    if (done !== 'more') return undefined;
    await turn();
  }
}
