import { randomBytes } from 'node:crypto';
import { ACTION, ACTIVITY_TYPE, MODULE } from '#contract/activity.ts';
import type { Input } from '#contract/endpoint.ts';
import { Refusal, refuse } from '#contract/errors.ts';
import { PRODUCT_NAME } from '#contract/limits.ts';
import type { organizations } from '#contract/organizations.ts';
import { fieldText } from '#contract/text/fields.ts';
import type { OrgId, UserId } from '#contract/wire.ts';
import { mailConfirmation } from '#server/accounts/actions.ts';
import { getUser, lockUser, updateUser } from '#server/accounts/data.ts';
import { emailOrRefusal } from '#server/accounts/rules.ts';
import { recordActivity } from '#server/activity/data.ts';
import { changes } from '#server/activity/rules.ts';
import { type Tx, transaction } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { insertActiveMember, listMembers } from '#server/members/data.ts';
import {
  countCreated,
  hasDefaultOrganization,
  insertOrganization,
  listOrganizations,
  type NewOrganization,
} from '#server/organizations/data.ts';
import { defaultName, urlNameCandidates } from '#server/organizations/rules.ts';
import { insertBuiltInRoles, listRoles } from '#server/roles/data.ts';
import { mintCode } from '#server/sign-in/onward/actions.ts';
import type { RoleId } from '#contract/wire.ts';

type CreateInput = Input<typeof organizations.create>;
type Here = { readonly orgId: OrgId; readonly roleId: RoleId; readonly isAdmin: boolean } | null;

/** Everything the area opens with: the organization asked for or the default one, and what the person may see of it. */
export async function initialize({ sql }: Deps, userId: UserId, here: Here) {
  // One after the other: on one connection they queue anyway, and a pool keeps its other connections for others.
  const mine = await listOrganizations(sql, userId);
  const user = await getUser(sql, userId, here?.roleId);
  const current = mine.find((organization) => organization.id === here?.orgId) ?? null;
  if (!here || !current) return { current: null, others: mine, roles: [], members: [], user };
  return {
    current,
    others: mine.filter((organization) => organization !== current),
    // Who is not an admin sees their own role and their own row.
    roles: await listRoles(sql, here.orgId, here.isAdmin ? undefined : here.roleId),
    members: await listMembers(sql, here.orgId, here.isAdmin ? undefined : userId),
    user,
  };
}

/** Creates an organization with its built-in roles and the caller as its Super Admin; the caller's names come with it. */
export const createOrganization = (deps: Deps, userId: UserId, input: CreateInput) =>
  transaction(deps.sql, async (tx) => {
    const now = deps.clock.now();
    if ((await countCreated(tx, userId)) >= deps.config.organizationsPerUser)
      return refuse('org_max_limit_reached');
    const person = await completeProfile(tx, deps, userId, input);
    if (person instanceof Refusal) return person;
    const name = input.name || defaultName(input.firstName);
    const organization = await insertUnderFreeName(tx, {
      name,
      employeeCount: input.employeeCount ?? null,
      applicationName: PRODUCT_NAME,
      createdBy: userId,
      createdAt: now,
    });
    const roleId = await insertBuiltInRoles(tx, organization.id, userId, now);
    await insertActiveMember(tx, {
      orgId: organization.id,
      userId,
      roleId,
      firstName: input.firstName,
      lastName: person.last_name,
      designation: person.designation,
      isDefault: !(await hasDefaultOrganization(tx, userId)),
      createdAt: now,
    });
    await recordActivity(tx, deps, {
      orgId: organization.id,
      userId,
      module: MODULE.organization,
      type: ACTIVITY_TYPE.organizationInformation,
      action: ACTION.create,
      recordId: organization.id,
      information: { name: [null, name], employee_count: [null, input.employeeCount ?? null] },
    });
    const code = await mintCode(tx, deps, userId, input.redirectUrl, organization.id);
    return { ...organization, ...(code !== undefined && { code }) };
  });

/** Onboarding asks for the person's own details too; an address only from people who have none yet. */
async function completeProfile(tx: Tx, deps: Deps, userId: UserId, input: CreateInput) {
  const before = await lockUser(tx, userId);
  if (before.email !== null && input.email !== undefined)
    return refuse('invalid_input', { fields: { email_id: fieldText.unknownField } });
  if (before.email === null && input.email === undefined)
    return refuse('invalid_input', { fields: { email_id: fieldText.required } });
  const email = input.email === undefined ? before.email : emailOrRefusal(input.email, 'email_id');
  if (email instanceof Refusal) return email;

  const patch = {
    email,
    first_name: input.firstName,
    last_name: input.lastName ?? before.last_name,
    country: input.country,
    contact_number: input.contactNumber ?? before.contact_number,
  };
  const changed = changes(before, patch);
  if (Object.keys(changed).length > 0) {
    const updated = await updateUser(tx, userId, patch);
    if (updated instanceof Refusal) return updated;
    await recordActivity(tx, deps, {
      orgId: null,
      userId,
      module: MODULE.profile,
      type: ACTIVITY_TYPE.profileInformation,
      action: ACTION.update,
      recordId: userId,
      information: changed,
    });
  }
  if (before.email === null && email !== null) await mailConfirmation(tx, deps, userId, email);
  return { ...before, ...patch };
}

async function insertUnderFreeName(tx: Tx, organization: NewOrganization) {
  const random = () => randomBytes(3).toString('hex');
  for (const urlName of urlNameCandidates(organization.name, random)) {
    const row = await insertOrganization(tx, urlName, organization);
    if (row) return { id: row.id, urlName };
  }
  throw new Error('no URL name was free');
}
