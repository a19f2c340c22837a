// A change of the directory reaches a person's membership, sessions and address here.
import { DIRECTORY_ID } from '#contract/activity/calls.ts';
import { Refusal, refuse } from '#contract/errors.ts';
import { NAME_MAX_CHARACTERS } from '#contract/limits.ts';
import { MEMBER_STATUS, type MemberWord } from '#contract/members/calls.ts';
import type { OrgId, RoleId, UserId } from '#contract/wire.ts';
import { activityValuesText } from '#words/activity-values.ts';
import { claimAddress, lockForAddress } from '#server/accounts/addresses/actions.ts';
import { findHolder, listInvitedAt, lockOrganizations } from '#server/accounts/addresses/data.ts';
import { domainOf } from '#server/accounts/rules.ts';
import { partsOfName } from '#contract/profile/whole-name.ts';
import { findOrInsertUser, findUser } from '#server/accounts/data.ts';
import { lockUser } from '#server/accounts/locking/data.ts';
import { recordActivity } from '#server/activity/data.ts';
import { changes } from '#server/activity/rules.ts';
import { DAY_MS, fromNow } from '#server/clock.ts';
import { companyNews, tellOf } from '#server/company-sign-in/changes.ts';
import { leaveAddress } from '#server/company-sign-in/addresses.ts';
import { isOfCompany } from '#server/company-sign-in/data.ts';
import type { Directory, ScimUser } from './data.ts';
import type { UserFields } from './patches.ts';
import { invalid, ScimRefusal, takenError } from './refusals.ts';
import { type Tx, transaction } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { inLanguage, offeredLanguage } from '#server/language.ts';
import { changeMember, endMember, hasSeat, keepASuperAdmin } from '#server/members/actions.ts';
import { findMember, lockOrganization, updateMember } from '#server/members/data.ts';
import { mailInvitation } from '#server/members/invitations/actions.ts';
import { upsertInvitation } from '#server/members/invitations/data.ts';
import { type SomeWords, wordsInColumns } from '#server/members/rules.ts';
import { findRole } from '#server/members/standing/data.ts';
import { deleteEntered } from '#server/sessions/data-entered.ts';
import { deleteSessionsOf } from '#server/sessions/data.ts';

type Organization = NonNullable<Awaited<ReturnType<typeof lockOrganization>>>;
/** The author of changes, whose organization is locked: the directory, or a Super Admin who sets a group's role. */
export type Author = Pick<Directory, 'orgId' | 'roleId'> &
  Pick<Organization, 'language' | 'urlName'> & { readonly userId: UserId; readonly organization: string };
export type FoundMember = NonNullable<Awaited<ReturnType<typeof findMember>>>;
export type Answer<T> = Promise<T | Refusal>;

/**
 * Runs a change of the directory under the organization's lock, and that of others that invited somebody at an address
 * which the change may claim. Super Admins hear if the last of them would go.
 */
export async function asDirectory<T>(
  deps: Deps,
  directory: Pick<Directory, 'orgId' | 'roleId'>,
  run: (tx: Tx, author: Author) => Answer<T>,
  claimed?: string,
) {
  const answer = await transaction(deps.sql, async (tx) => {
    if (claimed !== undefined) await lockInviting(tx, directory.orgId, claimed);
    const organization = await lockOrganization(tx, directory.orgId);
    if (!organization) return refuse('org_not_found');
    const { name, language, urlName } = organization;
    const userId = DIRECTORY_ID as UserId;
    return run(tx, { ...directory, userId, organization: name, language, urlName });
  });
  const isLast = answer instanceof Refusal && answer.name === 'last_super_admin';
  // A directory tries again all day.
  if (isLast && !(await deps.limiter.take('scimNewsDay', String(directory.orgId))))
    await transaction(deps.sql, (tx) =>
      tellOf(tx, deps, directory.orgId, (organization) =>
        companyNews('lastSuperAdminKept', { organization }),
      ),
    );
  return answer;
}

/** Organizations are locked in one order everywhere. */
async function lockInviting(tx: Tx, orgId: OrgId, email: string) {
  const holder = await findHolder(tx, email);
  const invited = holder && !holder.confirmed_at ? await listInvitedAt(tx, holder.id, email) : [];
  await lockOrganizations(tx, [orgId, ...invited.map((one) => one.orgId)]);
}

export const memberOf = async (tx: Tx, orgId: OrgId, { memberUserId }: ScimUser) =>
  memberUserId === null ? undefined : findMember(tx, orgId, memberUserId);

export const notProven = (address: string) =>
  address.includes('@')
    ? invalid('invalidValue', `Your organization has not proven the domain ${domainOf(address)}.`)
    : invalid('invalidValue', 'The user has no email address.');

/** The spelling of pages: without quotes, brackets and control characters, and not too long. */
const fit = (text: string) =>
  Array.from(text.replaceAll("'", '’').replace(/[\p{Cc}\p{Cf}"<>]/gu, ''))
    .slice(0, NAME_MAX_CHARACTERS)
    .join('')
    .trim();

/** The words of a membership. It keeps its own for those that are undefined, because the directory sent none. */
export function wordsOfUser({
  givenName,
  familyName,
  formattedName,
  displayName,
  title,
}: UserFields): Readonly<Record<MemberWord, string | undefined>> {
  const whole = givenName === '' && familyName === '' ? partsOfName(formattedName || displayName) : undefined;
  const [first, last] = [fit(whole?.firstName ?? givenName), fit(whole?.lastName ?? familyName)];
  return {
    firstName: first || last || undefined,
    lastName: first === '' ? (last === '' ? undefined : '') : last,
    designation: title === '' ? undefined : fit(title),
  };
}

/** An invitation serves as long as the person stays in the directory; its link for a year. */
const LINK_DAYS = 365;

/** Invites a person, who alone can accept. */
export async function invite(
  tx: Tx,
  deps: Deps,
  author: Author,
  email: string,
  user: UserFields,
  roleId: RoleId | null,
) {
  const { orgId, organization } = author;
  const role = roleId === null ? undefined : await findRole(tx, orgId, roleId);
  if (!role) return new ScimRefusal(403, 'A Super Admin has to choose a role for new people.');
  if (!(await hasSeat(tx, deps, orgId))) return refuse('sign_max_users_reached');
  const now = deps.clock.now();
  const {
    firstName = fit(email.split('@', 1)[0] ?? ''),
    lastName = '',
    designation = '',
  } = wordsOfUser(user);
  const words = { firstName, lastName, designation };
  const person = { email, first_name: firstName, last_name: lastName, created_at: now };
  const userId = await findOrInsertUser(tx, person);
  const { id, ...more } = await upsertInvitation(tx, {
    org_id: orgId,
    user_id: userId,
    role_id: role.id,
    ...wordsInColumns(words),
    // For as long as the directory knows the person.
    invited_by: null,
    invitation_expires_at: null,
    invitation_language: author.language,
    created_at: now,
  });
  const mail = { organization, role: role.name, member: { id, userId }, email, ...more };
  const until = fromNow(deps.clock, LINK_DAYS * DAY_MS);
  const tongue = offeredLanguage(deps.config.languages, more.language);
  const fullName = inLanguage(tongue, () => activityValuesText.directory);
  await mailInvitation(tx, deps, { fullName }, mail, until);
  const information = changes({}, { email, ...wordsInColumns(words), role: role.name });
  const row = { orgId, userId: author.userId, recordId: userId, information };
  await recordActivity(tx, deps, 'organization.invitedContact.invite', row);
  return id;
}

/**
 * The one place where the access of a deactivated or deleted person ends: sessions that came through the company, with
 * one of its addresses all. A membership that ends takes its tokens along.
 */
async function endAccess(tx: Tx, { orgId }: Author, { userId, email }: FoundMember) {
  await lockUser(tx, userId);
  await deleteEntered(tx, userId, orgId);
  if (await isOfCompany(tx, orgId, email)) await deleteSessionsOf(tx, userId);
}

/** Ends the access of a member, who becomes Inactive, or of an invited person, whose invitation ends. */
export async function deactivate(tx: Tx, deps: Deps, author: Author, member: FoundMember) {
  if (member.status === MEMBER_STATUS.invited) return remove(tx, deps, author, member);
  const isActive = member.status === MEMBER_STATUS.active;
  const refusal = isActive ? await keepASuperAdmin(tx, author.orgId, member.userId) : undefined;
  if (refusal) return refusal;
  await endAccess(tx, author, member);
  // The restoration of a deleted account makes paused members Active again.
  if (!isActive) await updateMember(tx, member.id, { paused_at: null });
  return isActive ? change(tx, deps, author, member, { status: MEMBER_STATUS.inactive }) : undefined;
}

export async function remove(tx: Tx, deps: Deps, author: Author, member: FoundMember) {
  const refusal = await keepASuperAdmin(tx, author.orgId, member.userId);
  if (refusal) return refusal;
  await endAccess(tx, author, member);
  return endMember(tx, deps, member, author);
}

type Edit = {
  readonly words?: SomeWords;
  readonly roleId?: RoleId | null | undefined;
  readonly status?: FoundMember['status'];
};
/** Changes what differs. The directory neither makes nor demotes a Super Admin. */
export async function change(
  tx: Tx,
  deps: Deps,
  author: Author,
  member: FoundMember,
  { words = {}, roleId, status }: Edit,
) {
  const chosen = member.rank === 'superAdmin' ? undefined : roleId;
  const role = await findRole(tx, author.orgId, chosen ?? member.roleId);
  if (!role) throw new Error('the role is gone');
  const refusal = await changeMember(
    tx,
    deps,
    member,
    { words, role, status: status ?? member.status },
    author,
  );
  return refusal?.name === 'no_changes' ? undefined : refusal;
}

/**
 * Moves a member's account from one of the company's addresses to another; an account elsewhere keeps its own. Somebody
 * who has not proven the mailbox loses the new address, and invitations to it pass to the member.
 */
export async function moveAddress(
  tx: Tx,
  deps: Deps,
  author: Author,
  { userId }: FoundMember,
  email: string,
) {
  const claim = await lockForAddress(tx, userId, email);
  const former = (await findUser(tx, userId))?.email ?? null;
  if (former === null || former === email || !(await isOfCompany(tx, author.orgId, former))) return undefined;
  const done = await claimAddress(tx, deps, claim, deps.clock.now());
  if (done instanceof Refusal)
    return done.name === 'unavailable' ? done : takenError('Another account has this address.');
  await leaveAddress(tx, deps, { userId, former, email, organization: author.organization });
  return undefined;
}
