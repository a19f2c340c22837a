import { refuse, Refusal } from '#contract/errors.ts';
import type { companyDirectory, RefusedCall } from '#contract/company-sign-in/directory.ts';
import type { Input } from '#contract/endpoint.ts';
import { DIRECTORY_TOKENS_PER_ORGANIZATION_MAX } from '#contract/limits.ts';
import {
  companyNews,
  settingsChange,
  refuseOthers,
  roleName,
  roleToGive,
} from '#server/company-sign-in/changes.ts';
import type { SuperAdmin } from '#server/members/super-admin-news/acts.ts';
import {
  countScimUsers,
  deleteToken,
  type Directory,
  findDirectory,
  findScimGroup,
  insertToken,
  listGroupSizes,
  listTokens,
  noteRefused,
  setRoleOfGroup,
  touchToken,
} from './data.ts';
import { followGroups, followLater } from './roles.ts';
import { MINUTE_MS } from '#server/clock.ts';
import type { Deps } from '#server/deps.ts';
import { randomToken, sha256 } from '#server/keys.ts';

// The settings of Super Admins, and the tokens as calls bring them.

export const SCIM_AT = '/api/scim/v2';
/** Recognizable to scanners for leaked secrets. */
const PREFIX = 'scim_';

export async function readDirectory(deps: Deps, actor: SuperAdmin) {
  const refusal = await refuseOthers(deps, actor);
  if (refusal) return refusal;
  const { orgId } = actor;
  return {
    address: new URL(SCIM_AT, deps.config.publicUrl).href,
    tokens: await listTokens(deps.sql, orgId),
    groups: await listGroupSizes(deps.sql, orgId),
    people: await countScimUsers(deps.sql, orgId),
  };
}

export const addToken = settingsChange(
  async ({ tx, deps, orgId, actor, caller }, { roleId }: Input<typeof companyDirectory.addToken>) => {
    const role = await roleToGive(tx, orgId, caller, roleId);
    if (role instanceof Refusal) return role;
    if ((await listTokens(tx, orgId)).length >= DIRECTORY_TOKENS_PER_ORGANIZATION_MAX)
      return refuse('directory_token_limit_reached');
    const token = PREFIX + randomToken();
    const { id } = await insertToken(
      tx,
      { orgId, roleId, createdBy: actor.userId },
      sha256(token),
      deps.clock.now(),
    );
    return {
      act: 'organization.directoryToken.create',
      recordId: id,
      information: { role: role.name },
      news: (names) => companyNews('directoryAdded', { ...names, role: role.name }),
      answer: { id, token },
    };
  },
);

export const removeToken = settingsChange(
  async ({ tx, orgId }, { id }: Input<typeof companyDirectory.removeToken>) => {
    if (!(await deleteToken(tx, orgId, id))) return refuse('not_found');
    return {
      act: 'organization.directoryToken.delete',
      recordId: id,
      information: {},
      news: (names) => companyNews('directoryChanged', names),
      answer: { id },
    };
  },
);

/** The people in the group follow at once if they are few, else soon. */
export async function setGroupRole(
  deps: Deps,
  actor: SuperAdmin,
  asked: Input<typeof companyDirectory.setRole>,
) {
  const done = await changeRole(deps, actor, asked);
  if (!(done instanceof Refusal)) await followGroups(deps, actor.orgId);
  return done;
}
const changeRole = settingsChange(
  async ({ tx, deps, orgId, caller }, { groupId, roleId }: Input<typeof companyDirectory.setRole>) => {
    const group = await findScimGroup(tx, orgId, groupId);
    if (!group) return refuse('not_found');
    const role = roleId === null ? undefined : await roleToGive(tx, orgId, caller, roleId);
    if (role instanceof Refusal) return role;
    if (group.roleId === roleId) return refuse('no_changes');
    const former = await roleName(tx, orgId, group.roleId);
    await setRoleOfGroup(tx, groupId, roleId, deps.clock.now());
    await followLater(tx, deps, orgId);
    return {
      act: 'organization.directoryGroup.update',
      information: { directory_group: group.displayName, role: [former, role?.name ?? null] },
      news: (names) => companyNews('directoryChanged', names),
      answer: { groupId, name: group.displayName, roleId, members: group.size },
    };
  },
);

/** The directory that a token belongs to. Notes its use, once a minute. */
export async function findCallingDirectory(deps: Deps, authorization = ''): Promise<Directory | undefined> {
  const [, token] = /^Bearer ([\w-]+)$/i.exec(authorization) ?? [];
  const directory = token === undefined ? undefined : await findDirectory(deps.sql, sha256(token));
  const now = deps.clock.now();
  if (directory && (directory.lastUsed?.getTime() ?? 0) <= now.getTime() - MINUTE_MS)
    await touchToken(deps.sql, directory.id, now);
  return directory;
}

/** Keeps a refused call for the Super Admins. Its values stay out, because they are about people. */
export const keepRefused = (
  { sql, clock }: Deps,
  { id }: Directory,
  call: Pick<RefusedCall, 'call' | 'status' | 'reason'>,
  body: unknown,
) => noteRefused(sql, id, { ...call, time: clock.now().toISOString(), fields: fieldsOf(body) });

const FIELDS_MAX = 30;
type Operation = { readonly op?: unknown; readonly path?: unknown; readonly value?: unknown } | null;

/** Names without values, which brackets in a path may hold. */
function fieldsOf(body: unknown): string[] {
  if (typeof body !== 'object' || body === null) return [];
  const { Operations: operations } = body as { Operations?: unknown };
  const names = Array.isArray(operations)
    ? (operations as Operation[]).flatMap((one) => {
        const keys = typeof one?.value === 'object' ? Object.keys(one.value ?? {}) : [];
        return typeof one?.path === 'string' ? one.path.replace(/"[^"]*"?/g, '"…"') : keys;
      })
    : Object.keys(body);
  return names.slice(0, FIELDS_MAX).map((name) => name.slice(0, 200).replaceAll('\0', '').toWellFormed());
}
