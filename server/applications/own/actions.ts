import type { Details } from '#contract/activity/recorded.ts';
import type { ownApplications } from '#contract/applications/own.ts';
import {
  addressProblems,
  type ApplicationId,
  APPLICATIONS_PER_ORGANIZATION_MAX,
  keepsSecret,
} from '#contract/applications/registration.ts';
import { whyNot } from '#contract/members/authority.ts';
import type { Input } from '#contract/endpoint.ts';
import { Refusal, refuse } from '#contract/errors.ts';
import { SECRET_OVERLAP_HOURS } from '#contract/limits.ts';
import { refusalText } from '#contract/text/refusals.ts';
import type { OrgId, RoleId, UserId } from '#contract/wire.ts';
import { recordActivity } from '#server/activity/data.ts';
import { changes } from '#server/activity/rules.ts';
import { addSecret, changeIcon, newClientId } from '#server/applications/clients/actions.ts';
import { deleteApplication, endSecrets, setPaused } from '#server/applications/clients/data.ts';
import {
  countOwn,
  endRefusedAccess,
  findOwn,
  insertOwn,
  listOwn,
  listRoles,
  type Own,
  replaceRoles,
  updateOwn,
} from '#server/applications/own/data.ts';
import { applicationWords, type Change } from '#server/applications/own/mail.ts';
import { isMoved, recordedSettings } from '#server/applications/own/rules.ts';
import { fromNow, HOUR_MS } from '#server/clock.ts';
import { type Tx, transaction } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { type SuperAdmin, superAdminUnderLock } from '#server/members/actions.ts';
import { findCaller } from '#server/members/standing/data.ts';
import { tellSuperAdmins } from '#server/members/super-admin-news/actions.ts';

export type Scope = { readonly orgId: OrgId; readonly userId: UserId };
export type Person = { readonly fullName: string; readonly confirmed: boolean };
type Named = { readonly applicationId: ApplicationId };

const matter = { to: 'manageApplications', details: refusalText.superAdminOfApplications } as const;

export async function listApplications({ sql }: Deps, { orgId, userId }: Scope) {
  const caller = await findCaller(sql, orgId, userId);
  if (!caller) return refuse('org_not_found');
  return whyNot(caller, matter) ? refuse('super_admin_only', matter) : listOwn(sql, orgId);
}

/** The refusal of addresses that do not fit the kind of the application. */
function refuseUnfit(settings: Parameters<typeof addressProblems>[0]) {
  const { redirectUrls, signedOutUrls } = addressProblems(settings);
  const fields = {
    ...(redirectUrls && { redirect_urls: redirectUrls }),
    ...(signedOutUrls && { signed_out_urls: signedOutUrls }),
  };
  return Object.keys(fields).length > 0 ? refuse('invalid_input', { fields }) : undefined;
}

/** Registers an application. Only this answer contains its secret. */
export const registerApplication = (
  deps: Deps,
  scope: Scope,
  person: Person,
  { kind, ...input }: Input<typeof ownApplications.register>,
) =>
  transaction(deps.sql, async (tx) => {
    const caller = await superAdminUnderLock(tx, scope, person, matter);
    if (caller instanceof Refusal) return caller;
    const settings = { ...input, roleIds: input.isForEveryone ? [] : input.roleIds };
    const unfit = refuseUnfit({ kind, ...settings });
    if (unfit) return unfit;
    if ((await countOwn(tx, scope.orgId)) >= APPLICATIONS_PER_ORGANIZATION_MAX)
      return refuse('application_limit_reached');
    const roles = await getRoles(tx, scope.orgId, settings.roleIds);
    if (roles instanceof Refusal) return roles;
    const id = await insertOwn(tx, {
      ...settings,
      kind,
      clientId: newClientId(),
      createdBy: scope.userId,
      createdAt: deps.clock.now(),
    });
    await replaceRoles(tx, id, settings.roleIds);
    const secret = keepsSecret(kind) ? await addSecret(tx, deps, id) : null;
    const application = await getOwn(tx, scope.orgId, id);
    const values = Object.entries({ ...recordedSettings(settings, roles), kind });
    await record(
      tx,
      deps,
      scope,
      application,
      'create',
      Object.fromEntries(values.map(([name, value]) => [name, [null, value]])),
    );
    await tell(tx, deps, caller, 'applicationAdded', application, person);
    return { application, secret };
  });

export const changeApplication = (
  deps: Deps,
  scope: Scope,
  person: Person,
  { applicationId, orgId, removesIcon, ...input }: Input<typeof ownApplications.change>,
) =>
  changing(deps, scope, person, applicationId, async (tx, before, caller) => {
    const after = { ...before, ...definedOf(input) };
    const roleIds = after.isForEveryone ? [] : after.roleIds;
    const unfit = refuseUnfit(after);
    if (unfit) return unfit;
    const formerRoles = await listRoles(tx, orgId, before.roleIds);
    const roles = await getRoles(tx, orgId, roleIds);
    if (roles instanceof Refusal) return roles;
    const information = {
      ...changes(recordedSettings(before, formerRoles), recordedSettings(after, roles)),
      ...(removesIcon && (await changeIcon(tx, deps, applicationId, null))),
    };
    if (Object.keys(information).length === 0) return refuse('no_changes');
    await updateOwn(tx, applicationId, after);
    await replaceRoles(tx, applicationId, roleIds);
    await endRefusedAccess(tx, applicationId);
    const application = await getOwn(tx, orgId, applicationId);
    await record(tx, deps, scope, application, 'update', information);
    if (isMoved(before, after)) await tell(tx, deps, caller, 'applicationMoved', application, person);
    return application;
  });

/** Removes an application; its grants and tokens end with it. */
export const unregisterApplication = (
  deps: Deps,
  scope: Scope,
  person: Person,
  { applicationId, name }: Input<typeof ownApplications.unregister>,
) =>
  changing(deps, scope, person, applicationId, async (tx, application, caller) => {
    if (name !== application.name) return refuse('changed_meanwhile');
    const roles = await listRoles(tx, scope.orgId, application.roleIds);
    const values = Object.entries({ ...recordedSettings(application, roles), kind: application.kind });
    await deleteApplication(tx, applicationId);
    await record(
      tx,
      deps,
      scope,
      application,
      'delete',
      Object.fromEntries(values.map(([field, value]) => [field, [value, null]])),
    );
    await tell(tx, deps, caller, 'applicationRemoved', application, person);
    return { id: applicationId };
  });

/**
 * Makes a new secret. The current one stays valid for a day, so that the application can change it without downtime.
 */
export const rotateSecret = (deps: Deps, scope: Scope, person: Person, { applicationId }: Named) =>
  changing(deps, scope, person, applicationId, async (tx, { kind }, caller) => {
    if (!keepsSecret(kind)) return refuse('application_not_found');
    const endsAt = fromNow(deps.clock, SECRET_OVERLAP_HOURS * HOUR_MS);
    await endSecrets(tx, applicationId, endsAt);
    const secret = await addSecret(tx, deps, applicationId);
    const application = await getOwn(tx, scope.orgId, applicationId);
    await record(tx, deps, scope, application, 'change', { former_secret_ends: endsAt });
    await tell(tx, deps, caller, 'applicationSecret', application, person);
    return { application, secret };
  });

export const pauseApplication = (
  deps: Deps,
  scope: Scope,
  person: Person,
  { applicationId, isPaused }: Input<typeof ownApplications.pause>,
) =>
  changing(deps, scope, person, applicationId, async (tx, before) => {
    if (isPaused === before.isPaused) return refuse('no_changes');
    await setPaused(tx, applicationId, isPaused ? deps.clock.now() : null);
    await record(tx, deps, scope, before, 'update', { paused: [before.isPaused, isPaused] });
    return { ...before, isPaused };
  });

/** Runs a change of one application under the organization's lock. */
export const changing = <T>(
  deps: Deps,
  scope: Scope,
  person: Person,
  id: ApplicationId,
  change: (tx: Tx, application: Own, caller: SuperAdmin) => Promise<T>,
) =>
  transaction(deps.sql, async (tx) => {
    const caller = await superAdminUnderLock(tx, scope, person, matter);
    if (caller instanceof Refusal) return caller;
    const application = await findOwn(tx, scope.orgId, id);
    return application ? change(tx, application, caller) : refuse('application_not_found');
  });

export async function getOwn(tx: Tx, orgId: OrgId, id: ApplicationId) {
  const application = await findOwn(tx, orgId, id);
  if (!application) throw new Error('the application is gone');
  return application;
}

/** The names of the roles, or a refusal if one is not of this organization. */
async function getRoles(tx: Tx, orgId: OrgId, roleIds: readonly RoleId[]) {
  const names = await listRoles(tx, orgId, roleIds);
  return names.length === new Set(roleIds).size ? names : refuse('role_not_found');
}

const definedOf = <T extends object>(input: T) =>
  Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };

export const record = (
  tx: Tx,
  deps: Deps,
  { orgId, userId }: Scope,
  { id, name }: Own,
  action: 'create' | 'update' | 'change' | 'delete',
  information: Details,
) =>
  recordActivity(tx, deps, `organization.ownApplication.${action}`, {
    orgId,
    userId,
    recordId: id,
    information: { application: name, ...information },
  });

/** Tells the Super Admins, because an application may let strangers in. */
const tell = (
  tx: Tx,
  deps: Deps,
  caller: SuperAdmin,
  change: Change,
  { name }: Own,
  { fullName }: Person,
) => {
  const words = applicationWords(change, {
    organization: caller.organization,
    application: name,
    person: fullName,
  });
  return tellSuperAdmins(tx, deps, caller, words, 'organization/applications');
};
