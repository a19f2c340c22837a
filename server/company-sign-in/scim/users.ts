// Answers the calls of company directories about users: each change reaches the organization's members, too.
import { Refusal } from '#contract/errors.ts';
import { MEMBER_STATUS } from '#contract/members/calls.ts';
import type { MemberId, OrgId, RoleId } from '#contract/wire.ts';
import { claiming } from '#server/accounts/addresses/actions.ts';
import { findHolder } from '#server/accounts/addresses/data.ts';
import { domainOf } from '#server/accounts/rules.ts';
import { recordActivity } from '#server/activity/data.ts';
import { changes } from '#server/activity/rules.ts';
import { isOfCompany } from '#server/company-sign-in/data.ts';
import { textRow, type UserTexts } from './data-attributes.ts';
import {
  countScimUsers,
  deleteScimUser,
  type Directory,
  findScimUser,
  insertScimUser,
  isOfDirectory,
  listAlike,
  type ScimUser,
  updateScimUser,
} from './data.ts';
import { findGroupRole, leaveGroups } from './data-members.ts';
import { addressKey, isId } from './filters.ts';
import { type IsProven, newUser, type patchUser, replaceUser, type UserFields } from './patches.ts';
import {
  asDirectory,
  type Author,
  change as changePerson,
  deactivate,
  invite,
  type FoundMember,
  memberOf,
  moveAddress,
  notProven,
  remove,
  wordsOfUser,
} from './people.ts';
import { ScimRefusal, takenError, unknown } from './refusals.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { endMember } from '#server/members/actions.ts';
import { findMember } from '#server/members/data.ts';

type Body = Readonly<Record<string, unknown>>;
/** Far more than seats, because deactivated people stay. */
const USERS_MAX = 20_000;

/** A person whose membership has ended is inactive, whatever the directory sent. */
export const isActive = ({ isActive: wished, memberId }: ScimUser) => wished && memberId !== null;
const fieldsOf = (user: ScimUser): UserFields => ({ ...user, active: isActive(user) });

/** The address of the person's account. Without one, the user name serves. */
const accountAddress = ({ email, userName }: UserFields) => addressKey(email || userName);

export const getScimUser = async (sql: Db, orgId: OrgId, id: string) =>
  (isId(id) ? await findScimUser(sql, orgId, id) : undefined) ?? unknown('user');

/** A directory that changes its mind all day must not flood a mailbox. Counts before the transaction. */
async function countingMail<T>(
  { limiter }: Deps,
  { orgId }: Directory,
  address: string,
  run: () => Promise<T | Refusal>,
) {
  const draw = ['invitationMailsDay', `${orgId} ${address}`] as const;
  const full = await limiter.take(...draw);
  if (full) return full;
  const done = await run();
  if (done instanceof Refusal) await limiter.giveBack([draw]);
  return done;
}

const provenBy =
  ({ domains }: Directory): IsProven =>
  (address) =>
    domains.includes(domainOf(address));

/** A user who was deactivated returns with the same id. */
export async function createScimUser(deps: Deps, directory: Directory, body: Body) {
  const user = replaceUser(newUser, body, provenBy(directory));
  if (user instanceof ScimRefusal) return user;
  return countingMail(deps, directory, accountAddress(user), () => insert(deps, directory, user));
}

const insert = (deps: Deps, directory: Directory, user: UserFields) =>
  asDirectory(deps, directory, async (tx, author) => {
    const { orgId } = author;
    const [former, another] = await listAlike(
      tx,
      orgId,
      user.userName,
      accountAddress(user),
      user.externalId,
    );
    if (another || (former && isActive(former))) return takenBy(another ?? former, user);
    if (!former && (await countScimUsers(tx, orgId)) >= USERS_MAX)
      return new ScimRefusal(403, `An organization has at most ${USERS_MAX} users.`);
    if (!former || !isAnother(former, user) || former.memberId !== null)
      return save(tx, deps, author, former, {
        ...user,
        externalId: user.externalId || (former?.externalId ?? ''),
      });
    await deleteScimUser(tx, former.id);
    return save(tx, deps, author, undefined, user);
  });

/** The `externalId` names the person, so that a newcomer with the name and address of a leaver is somebody else. */
const isAnother = (former: UserTexts, user: UserTexts) =>
  former.externalId !== '' && user.externalId !== '' && former.externalId !== user.externalId;
const takenBy = (other: ScimUser | undefined, { externalId }: UserFields) =>
  takenError(
    externalId !== '' && other?.externalId === externalId
      ? 'A user has this externalId already.'
      : 'A user has this name or address already.',
  );

export async function changeScimUser(
  deps: Deps,
  directory: Directory,
  id: string,
  how: typeof patchUser,
  body: Body,
) {
  const shown = await getScimUser(deps.sql, directory.orgId, id);
  if (shown instanceof ScimRefusal) return shown;
  const wished = how(fieldsOf(shown), body, provenBy(directory));
  if (wished instanceof ScimRefusal) return wished;
  const address = accountAddress(wished);
  const isMoved = address !== shown.emailKey;
  const attempt = () =>
    asDirectory(
      deps,
      directory,
      async (tx, author) => {
        const before = await getScimUser(tx, author.orgId, id);
        if (before instanceof ScimRefusal) return before;
        const user = how(fieldsOf(before), body, provenBy(directory));
        return user instanceof ScimRefusal ? user : save(tx, deps, author, before, user);
      },
      isMoved ? address : undefined,
    );
  const change = isMoved ? () => claiming(deps, address, attempt) : attempt;
  const isMailed = wished.active && (!isActive(shown) || isMoved);
  return isMailed ? countingMail(deps, directory, address, change) : change();
}

export const removeScimUser = (deps: Deps, directory: Directory, id: string) =>
  asDirectory(deps, directory, async (tx, author) => {
    const before = await getScimUser(tx, author.orgId, id);
    if (before instanceof ScimRefusal) return before;
    const member = await memberOf(tx, author.orgId, before);
    const refusal = member && (await remove(tx, deps, author, member));
    if (refusal) return refusal;
    await deleteScimUser(tx, before.id);
    if (!member) await record(tx, deps, author, 'delete', { directory_user: before.userName });
    return undefined;
  });

async function save(tx: Tx, deps: Deps, author: Author, before: ScimUser | undefined, user: UserFields) {
  const { orgId } = author;
  const address = accountAddress(user);
  const alike = await listAlike(tx, orgId, user.userName, address, user.externalId);
  const other = alike.find(({ id }) => id !== before?.id);
  if (other) return takenBy(other, user);
  const own = before && (await memberOf(tx, orgId, before));
  const wasActive = before !== undefined && isActive(before);
  if (before && !wasActive && isAnother(before, user)) {
    if (own)
      return takenError(
        'A former user with another externalId has this name or address and is still a member. Remove that member first.',
      );
    await leaveGroups(tx, before.id);
  }
  const isMoved = own !== undefined && before?.emailKey !== address;
  // A user who leaves may get any name, which must not keep them in.
  const needsProof = !before || (user.active && (isMoved || !own));
  if (needsProof && !(await isOfCompany(tx, orgId, address))) return notProven(address);
  const member = own ?? (needsProof ? await findMemberAt(tx, orgId, address) : undefined);
  if (member instanceof Refusal) return member;
  const roleId = before && (await findGroupRole(tx, before.id));
  const memberId = user.active
    ? await activate(tx, deps, author, { member, user, address, isMoved, roleId, wasActive })
    : await leave(tx, deps, author, member, wasActive || !before);
  if (memberId instanceof Refusal) return memberId;
  const row = {
    org_id: orgId,
    member_id: memberId,
    ...textRow(user),
    email: user.email,
    email_key: address,
    is_active: user.active,
    changed_at: deps.clock.now(),
  };
  const id = before ? before.id : (await insertScimUser(tx, row)).id;
  if (before) await updateScimUser(tx, id, row);
  // The row of a membership says what happened to it.
  const edits = memberId === null && (before ? changes(logFields(fieldsOf(before)), logFields(user)) : {});
  if (edits && (!before || Object.keys(edits).length > 0))
    await record(tx, deps, author, before ? 'update' : 'create', { directory_user: user.userName, ...edits });
  return getScimUser(tx, orgId, id);
}

const logFields = (user: UserFields) => ({
  directory_user: user.userName,
  external_id: user.externalId,
  email: user.email,
  first_name: user.givenName,
  last_name: user.familyName,
  designation: user.title,
  status: user.active ? MEMBER_STATUS.active : MEMBER_STATUS.inactive,
});
type Information = Parameters<typeof recordActivity<'organization.directoryUser.update'>>[3]['information'];
const record = (
  tx: Tx,
  deps: Deps,
  { orgId, userId }: Author,
  action: 'create' | 'update' | 'delete',
  information: NonNullable<Information>,
) => recordActivity(tx, deps, `organization.directoryUser.${action}`, { orgId, userId, information });

/** The membership that stays. That of a person who was inactive already is left alone. */
async function leave(tx: Tx, deps: Deps, author: Author, member: FoundMember | undefined, isNew: boolean) {
  const refusal = member && isNew ? await deactivate(tx, deps, author, member) : undefined;
  if (refusal) return refusal;
  return member && member.status !== MEMBER_STATUS.invited ? member.id : null;
}

type Change = {
  readonly member: FoundMember | undefined;
  readonly user: UserFields;
  readonly address: string;
  readonly isMoved: boolean;
  readonly roleId: RoleId | undefined;
  readonly wasActive: boolean;
};
/** A new or moved person is invited. A member gets the words and role that the directory gives, and is no longer Inactive. */
async function activate(tx: Tx, deps: Deps, author: Author, change: Change): Promise<MemberId | Refusal> {
  const { member, user, address, isMoved, roleId, wasActive } = change;
  const isInvitedElsewhere = isMoved && member?.status === MEMBER_STATUS.invited;
  if (isInvitedElsewhere) await endMember(tx, deps, member, author);
  if (!member || isInvitedElsewhere) return invite(tx, deps, author, address, user, roleId ?? author.roleId);
  if (!wasActive && member.status === MEMBER_STATUS.disabled)
    return new ScimRefusal(403, 'An admin has disabled this member, so only a Super Admin can admit them.');
  const refusal = isMoved ? await moveAddress(tx, deps, author, member, address) : undefined;
  if (refusal) return refusal;
  const returns = !wasActive && member.status === MEMBER_STATUS.inactive;
  const edit = { words: wordsOfUser(user), roleId, ...(returns && { status: MEMBER_STATUS.active }) };
  return (await changePerson(tx, deps, author, member, edit)) ?? member.id;
}

/** A member from before the directory, or an invited person. */
async function findMemberAt(tx: Tx, orgId: OrgId, address: string) {
  const holder = await findHolder(tx, address);
  const member = holder && (await findMember(tx, orgId, holder.id));
  if (member && !holder.confirmed_at && member.status !== MEMBER_STATUS.invited)
    return takenError('The member with this address has not confirmed it.');
  return member && (await isOfDirectory(tx, member.id))
    ? takenError('Another user of the directory is this member.')
    : member;
}
