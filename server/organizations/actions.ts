// People create, change and leave organizations here, and the pages learn which ones a session may enter.
import { randomBytes } from 'node:crypto';
import type { Rank } from '#contract/members/authority.ts';
import type { Input } from '#contract/endpoint.ts';
import { Refusal, refuse } from '#contract/errors.ts';
import type { organizations, organizationSettings } from '#contract/organizations/calls.ts';
import type { OrgId, RoleId, SessionId, UserId } from '#contract/wire.ts';
import type { Session } from '#contract/access/facts.ts';
import { whyNoEntry } from '#server/access/rules.ts';
import { findNewTerms } from '#server/accounts/consents/consent.ts';
import { findProfile, findUser, lockProfile } from '#server/accounts/data.ts';
import { mayDisclose, mayMailTo } from '#server/accounts/mailboxes/limits.ts';
import { emailOrRefusal, refuseUnoffered } from '#server/accounts/rules.ts';
import { showTo } from '#server/accounts/shown.ts';
import { recordActivity } from '#server/activity/data.ts';
import { changes } from '#server/activity/rules.ts';
import { fromNow, MINUTE_MS } from '#server/clock.ts';
import { type Db, type Tx, transaction } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { ipPrefix } from '#server/ip-prefix.ts';
import { adminUnderLock, keepASuperAdmin, type OrgActor } from '#server/members/actions.ts';
import {
  countSeats,
  findMember,
  insertActiveMember,
  listMembers,
  makeDefault,
} from '#server/members/data.ts';
import { endMembership } from '#server/members/ending/membership.ts';
import {
  getApplication,
  getInformation,
  insertOrganization,
  listClosedOrganizations,
  listCreated,
  listOrganizations,
  type NewOrganization,
  updateInformation,
} from './data.ts';
import { completeProfile } from '#server/organizations/founder/profile.ts';
import { detailsOf } from '#server/organizations/founder/rules.ts';
import { defaultName, findBySamePress, refuseNewName, urlNameCandidates } from './rules.ts';
import { listAwaiting } from '#server/organizations/second-step/actions.ts';
import { insertBuiltInRoles, listRoles } from '#server/roles/data.ts';
import { hasSession } from '#server/sessions/data.ts';
import { findFactors } from '#server/sign-in/factors/data.ts';
import { mintCode } from '#server/sign-in/onward/actions.ts';

type Creator = { readonly userId: UserId; readonly sessionId: SessionId };
type CreateInput = Input<typeof organizations.create>;
type ListedOrganization = Awaited<ReturnType<typeof listOrganizations>>[number];
type OpenedOrganization = { readonly orgId: OrgId; readonly roleId: RoleId; readonly rank: Rank } | null;

/** Before the account's proof a session knows only the organizations that it entered through their company. */
const mayKnow = ({ proven, entered }: Opener, { id }: { readonly id: OrgId }) =>
  proven === 'account' || entered.includes(id);

/** The person's organizations. One that the session may not enter only shows itself, so that it can be chosen. */
export const listOwnOrganizations = async (deps: Deps, opener: Opener) =>
  showOrganizations(deps, opener, await listOrganizations(deps.sql, opener.userId));

function showOrganizations({ clock }: Deps, opener: Opener, organizations: readonly ListedOrganization[]) {
  const known = organizations.filter((row) => mayKnow(opener, row));
  return known.map((row) => {
    const noEntry = whyNoEntry(row, opener, clock.now());
    if (noEntry === undefined) return { ...row, noEntry };
    const hidden = { employeeCount: null, description: '', website: '', applicationName: '', language: null };
    return { ...row, ...hidden, noEntry };
  });
}

type Own = ReturnType<typeof showOrganizations>;
/** The organizations that wait for the company's provider. */
function entriesNeeded(organizations: Own) {
  const needsEntry = organizations.filter(({ noEntry }) => noEntry === 'company_sign_in_required');
  return needsEntry.length > 0 ? { needsEntry } : {};
}

type Opener = Session & { readonly userId: UserId; readonly sessionId: SessionId };
export async function initialize(deps: Deps, opener: Opener, scope: OpenedOrganization) {
  const { userId } = opener;
  const { sql } = deps;
  // One after the other, because parallel queries would take several connections of the pool.
  const all = await listOrganizations(sql, userId);
  const organizations = showOrganizations(deps, opener, all);
  const profile = await findProfile(sql, userId, scope?.roleId, deps);
  // The account may have been erased since the gate found the session.
  if (!profile) return refuse('user_not_found');
  const user = await showTo(deps, opener, profile);
  const current = organizations.find((organization) => organization.id === scope?.orgId) ?? null;
  const awaiting = {
    ...(await listAwaiting(deps, organizations, opener)),
    ...entriesNeeded(organizations),
    ...(all.length > organizations.length && { hiddenOrganizations: all.length - organizations.length }),
  };
  const news = {
    ...(await findNewTerms(sql, userId)),
    ...(opener.secondStep === 'recovery' && {
      codesLeft: (await findFactors(sql, userId)).recoveryCodesLeft,
    }),
  };
  if (!scope || !current) {
    const closed = all.length === 0 ? await listClosedOrganizations(sql, userId) : [];
    const known = closed.filter((row) => mayKnow(opener, row));
    return {
      current: null,
      others: organizations,
      ...(known.length > 0 && { closed: known }),
      ...awaiting,
      roles: [],
      members: [],
      user,
      ...news,
    };
  }
  const isAdmin = scope.rank !== 'member';
  return {
    current,
    others: organizations.filter((organization) => organization !== current),
    ...awaiting,
    // A member who is not an admin sees only their own role and row.
    roles: await listRoles(sql, scope.orgId, isAdmin ? undefined : scope.roleId),
    members: await listMembers(sql, scope.orgId, isAdmin ? undefined : userId),
    user,
    ...news,
  };
}

/** Repeated calls of one button press create one organization. A job checks an address that must not be disclosed. */
export async function createOrganization(
  deps: Deps,
  creator: Creator,
  input: CreateInput,
  { ipAddress }: { readonly ipAddress: string },
) {
  if (input.email === undefined) return create(deps, creator, input, true);
  const email = emailOrRefusal(input.email, 'email_id');
  // A person who already has an address gets no mail.
  const isMailed = !(email instanceof Refusal) && (await findUser(deps.sql, creator.userId))?.email === null;
  const prefix = ipPrefix(ipAddress);
  const disclose = isMailed ? await mayMailTo(deps, prefix, email) : await mayDisclose(deps, prefix);
  return disclose instanceof Refusal ? disclose : create(deps, creator, input, disclose);
}

const create = (deps: Deps, creator: Creator, input: CreateInput, disclose: boolean) =>
  transaction(deps.sql, async (tx) => {
    const organization = await findOrInsert(tx, deps, creator, input, disclose);
    if (organization instanceof Refusal) return organization;
    const code = await mintCode(tx, deps, creator, input.redirectUrl, organization.id);
    return { ...organization, ...(code !== undefined && { code }) };
  });

async function findOrInsert(tx: Tx, deps: Deps, creator: Creator, input: CreateInput, disclose: boolean) {
  const { userId } = creator;
  const now = deps.clock.now();
  const before = await lockProfile(tx, userId);
  const { employeeCount = null } = input;
  const name = input.name || defaultName(input.firstName);
  const newOrganization = { name, employee_count: employeeCount, created_by: userId, created_at: now };
  const ownOrganizations = await listCreated(tx, userId);
  const hasSameDetails = Object.keys(changes(before, detailsOf(input, before))).length === 0;
  const existing = hasSameDetails
    ? findBySamePress(ownOrganizations, { name, employeeCount }, fromNow(deps.clock, -MINUTE_MS))
    : undefined;
  if (!existing && ownOrganizations.length >= deps.config.organizationsPerUser)
    return refuse('org_max_limit_reached');
  const person = existing ? before : await completeProfile(tx, deps, { userId, before }, input, disclose);
  if (person instanceof Refusal) return person;
  // Checked under the person's lock, because the session may have ended while this call waited.
  if (!(await hasSession(tx, creator.sessionId))) return refuse('not_signed_in');
  if (existing) return { id: existing.id, urlName: existing.urlName };
  const organization = await insertUnderFreeName(tx, newOrganization);
  const roleId = await insertBuiltInRoles(tx, organization.id, userId, now);
  await insertActiveMember(tx, {
    org_id: organization.id,
    user_id: userId,
    role_id: roleId,
    first_name: input.firstName,
    last_name: person.last_name,
    designation: person.designation,
    created_at: now,
  });
  await recordActivity(tx, deps, 'organization.organizationInformation.create', {
    orgId: organization.id,
    userId,
    recordId: organization.id,
    information: { name: [null, name], employee_count: [null, employeeCount] },
  });
  return organization;
}

async function insertUnderFreeName(tx: Tx, organization: NewOrganization) {
  const random = () => randomBytes(3).toString('hex');
  for (const urlName of urlNameCandidates(organization.name, random)) {
    const row = await insertOrganization(tx, urlName, organization);
    if (row) return { id: row.id, urlName };
  }
  throw new Error('no URL name was free');
}

export const updateOrganization = (
  deps: Deps,
  scope: OrgActor,
  input: Input<typeof organizationSettings.update>,
) =>
  transaction(deps.sql, async (tx) => {
    const { orgId, userId } = scope;
    const admin = await adminUnderLock(tx, scope);
    if (admin instanceof Refusal) return admin;
    const before = await getInformation(tx, orgId);
    const refusal =
      refuseNewName(input.name, before.name) ??
      (input.language && refuseUnoffered(deps.config.languages, input.language));
    if (refusal) return refusal;
    const application = { application_name: input.applicationName ?? before.application_name };
    const information = {
      name: input.name ?? before.name,
      description: input.description ?? before.description,
      website: input.website ?? before.website,
      employee_count: input.employeeCount ?? before.employee_count,
      language: input.language === undefined ? before.language : input.language || null,
    };
    const isDefault = input.isDefault !== undefined && (await makeDefault(tx, userId, orgId));
    const logRows = [
      {
        type: 'organizationInformation' as const,
        edits: { ...changes(before, information), ...(isDefault && { is_default: [false, true] }) },
      },
      { type: 'applicationInformation' as const, edits: changes(before, application) },
    ].filter(({ edits }) => Object.keys(edits).length > 0);
    if (logRows.length === 0) return refuse('no_changes');
    await updateInformation(tx, orgId, { ...information, ...application });
    for (const { type, edits } of logRows)
      await recordActivity(tx, deps, `organization.${type}.update`, {
        ...scope,
        recordId: orgId,
        information: edits,
      });
    return readOrganization(tx, userId, orgId);
  });

/** Ends the caller's own membership. Their account, sessions and other organizations stay. */
export const leaveOrganization = (deps: Deps, scope: OrgActor) =>
  transaction(deps.sql, async (tx) => {
    const refusal = await keepASuperAdmin(tx, scope.orgId, scope.userId);
    if (refusal) return refusal;
    const member = await findMember(tx, scope.orgId, scope.userId);
    if (!member) return refuse('org_not_found');
    await endMembership(tx, deps, 'removed', member, { orgId: scope.orgId, by: scope.userId });
    return {};
  });

export async function readOrganization(sql: Db, userId: UserId, orgId: OrgId) {
  const [organization] = await listOrganizations(sql, userId, orgId);
  return organization ?? refuse('org_not_found');
}

export const readApplication = async (sql: Db, { config }: Deps, orgId: OrgId) => ({
  ...(await getApplication(sql, orgId)),
  limits: { members: config.maxMembersPerOrg, membersUsed: await countSeats(sql, orgId) },
});
