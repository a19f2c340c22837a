import type { Details } from '#contract/activity/recorded.ts';
import type { joinRequests } from '#contract/company-sign-in/joining.ts';
import type { Input } from '#contract/endpoint.ts';
import { Refusal, refuse } from '#contract/errors.ts';
import { JOIN_REQUEST_DAYS } from '#contract/limits.ts';
import { MEMBER_STATUS } from '#contract/members/calls.ts';
import { whyNot } from '#contract/members/authority.ts';
import { personName } from '#contract/profile/person-name.ts';
import type { OrgId, UserId } from '#contract/wire.ts';
import { lockUser } from '#server/accounts/locking/data.ts';
import { recordActivity } from '#server/activity/data.ts';
import { DAY_MS, fromNow } from '#server/clock.ts';
import { deleteRequest, deleteRequestsBefore, findOffer, insertRequest, listRequests } from './data.ts';
import { companyNews } from '#server/company-sign-in/changes.ts';
import { letInMail, refusedMail } from './mail.ts';
import { type Tx, transaction } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { queueMail } from '#server/mail/outbox.ts';
import { adminUnderLock, hasSeat, type OrgCaller } from '#server/members/actions.ts';
import { insertActiveMember, lockOrganization } from '#server/members/data.ts';
import { detailsOfRole, noMember, wordsInColumns } from '#server/members/rules.ts';
import { findRole } from '#server/members/standing/data.ts';
import { tellSuperAdmins } from '#server/members/super-admin-news/actions.ts';

export async function readOffer({ sql }: Deps, userId: UserId) {
  const offer = await findOffer(sql, userId);
  if (!offer) return { offer: null };
  const { orgId: offeredBy, organization, joining, askedTime } = offer;
  return { offer: { offeredBy, organization, joining, askedTime } };
}

const record = (
  tx: Tx,
  deps: Deps,
  action: 'create' | 'update' | 'delete',
  { orgId, userId }: OrgCaller,
  recordId = userId,
  information: Details = {},
) => recordActivity(tx, deps, `organization.joining.${action}`, { orgId, userId, recordId, information });

type Role = NonNullable<Awaited<ReturnType<typeof findRole>>>;
type Newcomer = {
  readonly userId: UserId;
  readonly firstName: string;
  readonly lastName: string;
  readonly designation: string;
};

/** Makes the person a member. Needs the locks of the organization and the person. */
export async function letIn(tx: Tx, deps: Deps, orgId: OrgId, newcomer: Newcomer, role: Role, by: UserId) {
  const { userId, firstName, lastName, designation } = newcomer;
  if (!(await hasSeat(tx, deps, orgId))) return refuse('sign_max_users_reached');
  await insertActiveMember(tx, {
    org_id: orgId,
    user_id: userId,
    role_id: role.id,
    ...wordsInColumns({ firstName, lastName, designation }),
    created_at: deps.clock.now(),
  });
  await deleteRequest(tx, userId);
  const information = { status: [null, MEMBER_STATUS.active], role: role.name };
  await record(tx, deps, 'update', { orgId, userId: by }, userId, information);
  return undefined;
}

/** The organization is repeated, because another one may have proven the domain since the page showed it. */
export async function joinByDomain(
  deps: Deps,
  userId: UserId,
  { offeredBy: orgId }: Input<typeof joinRequests.join>,
) {
  const shown = await findOffer(deps.sql, userId);
  if (shown?.orgId !== orgId) return refuse('not_found');
  if (shown.joining === 'ask') {
    const full = await deps.limiter.take('joinRequestsDay', String(userId));
    if (full) return full;
  }
  return transaction(deps.sql, async (tx) => {
    const organization = await lockOrganization(tx, orgId);
    await lockUser(tx, userId);
    const offer = await findOffer(tx, userId);
    if (!organization || offer?.orgId !== orgId) return refuse('not_found');
    const role = offer.roleId === null ? undefined : await findRole(tx, orgId, offer.roleId);
    if (offer.joining === 'click' && role) {
      const refusal = await letIn(tx, deps, orgId, { userId, ...offer }, role, userId);
      return refusal ?? { joined: true, urlName: offer.urlName };
    }
    if (offer.askedTime !== null) return refuse('no_changes');
    await insertRequest(tx, orgId, userId, deps.clock.now());
    const [asking] = await listRequests(tx, orgId, userId);
    const person = personName(offer.firstName, offer.lastName, asking?.email ?? null);
    await record(tx, deps, 'create', { orgId, userId }, userId, { name: [null, person] });
    const news = companyNews('asked', { organization: organization.name, person });
    await tellSuperAdmins(tx, deps, { orgId, urlName: offer.urlName }, news, 'organization');
    return { joined: false };
  });
}

export const withdrawRequest = (deps: Deps, userId: UserId) =>
  transaction(deps.sql, async (tx) => {
    await lockUser(tx, userId);
    const request = await deleteRequest(tx, userId);
    if (request) await record(tx, deps, 'delete', { ...request, userId });
    return { withdrawn: request !== undefined };
  });

export const listRequestsOf = async (deps: Deps, { orgId }: OrgCaller) =>
  (await listRequests(deps.sql, orgId)).map(({ designation: _, ...request }) => request);

/** Locks the organization and the person, and finds their request. */
async function requestUnderLock(tx: Tx, scope: OrgCaller, userId: UserId) {
  const admin = await adminUnderLock(tx, scope);
  if (admin instanceof Refusal) return admin;
  await lockUser(tx, userId);
  const [request] = await listRequests(tx, scope.orgId, userId);
  return request ? { admin, request } : refuse('user_not_found', noMember);
}

export const acceptRequest = (
  deps: Deps,
  scope: OrgCaller,
  { userId, roleId }: Input<typeof joinRequests.accept>,
  isConfirmed: boolean,
) =>
  transaction(deps.sql, async (tx) => {
    const { orgId } = scope;
    const found = await requestUnderLock(tx, scope, userId);
    if (found instanceof Refusal) return found;
    const { admin, request } = found;
    if (!isConfirmed) return refuse('account_not_confirmed');
    const role = await findRole(tx, orgId, roleId);
    if (!role) return refuse('role_not_found');
    if (whyNot(admin, { to: 'grant', power: role })) return refuse('not_allowed', detailsOfRole(admin, role));
    const refusal = await letIn(tx, deps, orgId, request, role, scope.userId);
    if (refusal) return refusal;
    const url = new URL(`/${admin.urlName}`, deps.config.publicUrl).href;
    await queueMail(tx, deps, { userId, to: request.email, content: letInMail(admin.organization, url) });
    return { userId };
  });

export const declineRequest = (deps: Deps, scope: OrgCaller, userId: UserId) =>
  transaction(deps.sql, async (tx) => {
    const found = await requestUnderLock(tx, scope, userId);
    if (found instanceof Refusal) return found;
    await deleteRequest(tx, userId);
    await record(tx, deps, 'delete', scope, userId);
    const content = refusedMail(found.admin.organization);
    await queueMail(tx, deps, { userId, to: found.request.email, content });
    return { userId };
  });

export const sweepJoinRequests = ({ sql, clock }: Deps) =>
  deleteRequestsBefore(sql, fromNow(clock, -JOIN_REQUEST_DAYS * DAY_MS));
