import { randomBytes } from 'node:crypto';
import { ACTION, ACTIVITY_TYPE, MODULE } from '#contract/activity.ts';
import type { Rank } from '#contract/authority.ts';
import type { Input } from '#contract/endpoint.ts';
import { Refusal, refuse } from '#contract/errors.ts';
import { PRODUCT_NAME } from '#contract/limits.ts';
import { maskEmail } from '#contract/mask.ts';
import type { organizations, organizationSettings } from '#contract/organizations.ts';
import { fieldText } from '#contract/text/fields.ts';
import { serverFieldText } from '#contract/text/server-fields.ts';
import type { OrgId, SessionId, UserId } from '#contract/wire.ts';
import { mailConfirmation, mayDisclose, tellOwner } from '#server/accounts/actions.ts';
import { findProfile, findUserByEmail, freeAddress, lockUser, updateUser } from '#server/accounts/data.ts';
import { emailOrRefusal } from '#server/accounts/rules.ts';
import { recordActivity } from '#server/activity/data.ts';
import { notify } from '#server/activity/notifications/data.ts';
import { changes } from '#server/activity/rules.ts';
import { type Db, type Tx, transaction } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { ipPrefix } from '#server/ip-prefix.ts';
import {
  adminUnderLock,
  keepASuperAdmin,
  nameOf,
  recordChange,
  type Scope,
} from '#server/members/actions.ts';
import {
  countSeats,
  deleteMember,
  findMember,
  insertActiveMember,
  listMembers,
  makeDefault,
} from '#server/members/data.ts';
import {
  countCreated,
  getApplication,
  getInformation,
  hasDefaultOrganization,
  insertOrganization,
  listClosedOrganizations,
  listOrganizations,
  type NewOrganization,
  updateInformation,
} from '#server/organizations/data.ts';
import { defaultName, refuseNewName, urlNameCandidates } from '#server/organizations/rules.ts';
import { internationalPhone } from '#server/phone.ts';
import { insertBuiltInRoles, listRoles } from '#server/roles/data.ts';
import { hasSession } from '#server/sessions/data.ts';
import { mintCode } from '#server/sign-in/onward/actions.ts';
import type { RoleId } from '#contract/wire.ts';

type Creator = { readonly userId: UserId; readonly sessionId: SessionId };
type CreateInput = Input<typeof organizations.create>;
type Here = { readonly orgId: OrgId; readonly roleId: RoleId; readonly rank: Rank } | null;

/** Everything the area opens with: the organization asked for or the default one, and what the person may see of it. */
export async function initialize({ sql }: Deps, userId: UserId, here: Here) {
  // One after the other: on one connection they queue anyway, and a pool keeps its other connections for others.
  const mine = await listOrganizations(sql, userId);
  const user = await findProfile(sql, userId, here?.roleId);
  // Erased while this session was looked up.
  if (!user) return refuse('user_not_found');
  const current = mine.find((organization) => organization.id === here?.orgId) ?? null;
  if (!here || !current) {
    const closed = mine.length === 0 ? await listClosedOrganizations(sql, userId) : [];
    return {
      current: null,
      others: mine,
      ...(closed.length > 0 && { closed }),
      roles: [],
      members: [],
      user,
    };
  }
  const isAdmin = here.rank !== 'member';
  return {
    current,
    others: mine.filter((organization) => organization !== current),
    // Who is not an admin sees their own role and their own row.
    roles: await listRoles(sql, here.orgId, isAdmin ? undefined : here.roleId),
    members: await listMembers(sql, here.orgId, isAdmin ? undefined : userId),
    user,
  };
}

/**
 * Creates an organization with its built-in roles and the caller as its Super Admin; the caller's names come with it.
 * Where the answer may not tell whether the address that came along is taken, nothing shows it either: it waits for the
 * mailed link, and the owner of a taken one is told.
 */
export async function createOrganization(
  deps: Deps,
  creator: Creator,
  input: CreateInput,
  { ipAddress }: { readonly ipAddress: string },
) {
  const disclose = input.email === undefined || (await mayDisclose(deps, ipPrefix(ipAddress)));
  if (disclose instanceof Refusal) return disclose;
  const created = await create(deps, creator, input, disclose);
  if (created instanceof Refusal) return created;
  const { takenEmail, ...organization } = created;
  if (takenEmail !== undefined) await tellOwner(deps, takenEmail, false);
  return organization;
}

const create = (deps: Deps, { userId, sessionId }: Creator, input: CreateInput, disclose: boolean) =>
  transaction(deps.sql, async (tx) => {
    const now = deps.clock.now();
    const before = await lockUser(tx, userId);
    if ((await countCreated(tx, userId)) >= deps.config.organizationsPerUser)
      return refuse('org_max_limit_reached');
    const person = await completeProfile(tx, deps, { userId, before }, input, disclose);
    if (person instanceof Refusal) return person;
    // The person is held now: whatever ended the session meanwhile ends this too.
    if (!(await hasSession(tx, sessionId))) return refuse('not_signed_in');
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
    const code = await mintCode(tx, deps, { userId, sessionId }, input.redirectUrl, organization.id);
    const { takenEmail } = person;
    return { ...organization, ...(code !== undefined && { code }), takenEmail };
  });

/** Onboarding asks for the person's own details too; an address only from people who have none yet. */
async function completeProfile(
  tx: Tx,
  deps: Deps,
  { userId, before }: { readonly userId: UserId; readonly before: Awaited<ReturnType<typeof lockUser>> },
  input: CreateInput,
  disclose: boolean,
) {
  if (before.email !== null && input.email !== undefined)
    return refuse('invalid_input', { fields: { email_id: serverFieldText.unknownField } });
  if (before.email === null && input.email === undefined)
    return refuse('invalid_input', { fields: { email_id: fieldText.required } });
  const email = input.email === undefined ? before.email : emailOrRefusal(input.email, 'email_id');
  if (email instanceof Refusal) return email;

  const patch = {
    email: disclose ? email : before.email,
    first_name: input.firstName,
    last_name: input.lastName ?? before.last_name,
    country: input.country,
    contact_number: input.contactNumber ?? before.contact_number,
  };
  const changed = changes(before, patch);
  if (before.email === null && email !== null) await freeAddress(tx, email);
  if (Object.keys(changed).length > 0) {
    const updated = await updateUser(tx, userId, {
      ...patch,
      phone_e164: internationalPhone(patch.contact_number, input.country),
    });
    if (updated instanceof Refusal) return updated;
    await recordActivity(tx, deps, {
      orgId: null,
      userId,
      module: MODULE.profile,
      type: ACTIVITY_TYPE.profileInformation,
      action: ACTION.update,
      recordId: userId,
      information: { ...changed, ...(changed['email'] && { email: [null, maskEmail(email ?? '')] }) },
    });
  }
  const isTaken = !disclose && email !== null && (await findUserByEmail(tx, email)) !== undefined;
  if (before.email === null && email !== null && !isTaken) {
    await mailConfirmation(tx, deps, userId, email);
    await notify(tx, deps, userId, { kind: 'address_to_confirm', details: { email } });
  }
  return { ...before, ...patch, takenEmail: isTaken ? email : undefined };
}

async function insertUnderFreeName(tx: Tx, organization: NewOrganization) {
  const random = () => randomBytes(3).toString('hex');
  for (const urlName of urlNameCandidates(organization.name, random)) {
    const row = await insertOrganization(tx, urlName, organization);
    if (row) return { id: row.id, urlName };
  }
  throw new Error('no URL name was free');
}

/** Changes an organization's information and its application's name; what is left out stays. */
export const updateOrganization = (
  deps: Deps,
  scope: Scope,
  input: Input<typeof organizationSettings.update>,
) =>
  transaction(deps.sql, async (tx) => {
    const { orgId, userId } = scope;
    const admin = await adminUnderLock(tx, scope);
    if (admin instanceof Refusal) return admin;
    const before = await getInformation(tx, orgId);
    const refused = refuseNewName(input.name, before.name);
    if (refused) return refused;
    const application = { application_name: input.applicationName ?? before.application_name };
    const information = {
      name: input.name ?? before.name,
      description: input.description ?? before.description,
      website: input.website ?? before.website,
      employee_count: input.employeeCount ?? before.employee_count,
    };
    const isDefault = input.isDefault !== undefined && (await makeDefault(tx, userId, orgId));
    const changed = [
      {
        type: ACTIVITY_TYPE.organizationInformation,
        information: { ...changes(before, information), ...(isDefault && { is_default: [false, true] }) },
      },
      { type: ACTIVITY_TYPE.applicationInformation, information: changes(before, application) },
    ].filter(({ information }) => Object.keys(information).length > 0);
    if (changed.length === 0) return refuse('no_changes');
    await updateInformation(tx, orgId, { ...information, ...application });
    for (const row of changed)
      await recordActivity(tx, deps, {
        ...row,
        orgId,
        userId,
        module: MODULE.organization,
        action: ACTION.update,
        recordId: orgId,
      });
    return readOrganization(tx, userId, orgId);
  });

/** Ends the caller's own membership; their account, sessions and other organizations stay. */
export const leaveOrganization = (deps: Deps, scope: Scope) =>
  transaction(deps.sql, async (tx) => {
    const last = await keepASuperAdmin(tx, scope.orgId, scope.userId);
    if (last) return last;
    const member = await findMember(tx, scope.orgId, scope.userId);
    if (!member) return refuse('org_not_found');
    await deleteMember(tx, member);
    await recordChange(tx, deps, scope, {
      of: member,
      action: ACTION.delete,
      information: {
        name: [nameOf(member), null],
        email: [member.email, null],
        role: [member.role, null],
        status: [member.status, null],
      },
    });
    return {};
  });

/** An organization as one of its members sees it. */
export async function readOrganization(sql: Db, userId: UserId, orgId: OrgId) {
  const [organization] = await listOrganizations(sql, userId, orgId);
  return organization ?? refuse('org_not_found');
}

/** How the organization's application looks, and how many seats are taken of how many. */
export const readApplication = async (sql: Db, { config }: Deps, orgId: OrgId) => ({
  ...(await getApplication(sql, orgId)),
  limits: { members: config.maxMembersPerOrg, membersUsed: await countSeats(sql, orgId) },
});
