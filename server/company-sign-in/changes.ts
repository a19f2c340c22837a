import type { Details } from '#contract/activity/recorded.ts';
import { whyNot } from '#contract/members/authority.ts';
import { Refusal, type RefusalName, refuse } from '#contract/errors.ts';
import type { OrgId, RoleId } from '#contract/wire.ts';
import { refusalText } from '#words/rules/refusal.ts';
import { recordActivity } from '#server/activity/data.ts';
import { type Tx, transaction } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import type { Filled } from '#server/mail/frame.ts';
import { type Admin, type OrgCaller, superAdminUnderLock } from '#server/members/actions.ts';
import { detailsOfRole } from '#server/members/rules.ts';
import { lockOrganization } from '#server/members/data.ts';
import { findCaller, findRole } from '#server/members/standing/data.ts';
import { type SuperAdminPage, tellSuperAdmins } from '#server/members/super-admin-news/actions.ts';

const matter = { to: 'manageSignIn', details: refusalText.superAdminOfCompanySignIn } as const;
export type SuperAdmin = OrgCaller & { readonly fullName: string; readonly confirmed: boolean };

/** A change as it was made: the row of the log, the mail to the Super Admins, and the answer. */
type Done<Answer> = {
  readonly act:
    | `company${'Domain' | 'Connection'}.${'create' | 'update' | 'delete'}`
    | ('directoryToken.create' | 'directoryToken.delete' | 'directoryGroup.update');
  readonly recordId?: number;
  readonly information: Details;
  readonly words?: (names: { readonly organization: string; readonly person: string }) => Filled;
  readonly answer: Answer;
};

/** Runs a Super Admin's change under the organization's lock, records it, and tells the Super Admins. */
export const changeSignIn = <A, R extends RefusalName = never>(
  deps: Deps,
  actor: SuperAdmin,
  run: (tx: Tx, caller: Admin) => Promise<Done<A> | Refusal<R>>,
) =>
  transaction(deps.sql, async (tx) => {
    const caller = await superAdminUnderLock(tx, actor, actor, matter);
    if (caller instanceof Refusal) return caller;
    const done = await run(tx, caller);
    if (done instanceof Refusal) return done;
    const { orgId, userId, fullName: person } = actor;
    const { act, recordId, information, words, answer } = done;
    await recordActivity(tx, deps, `organization.${act}`, { orgId, userId, recordId, information });
    if (words) {
      const filled = words({ organization: caller.organization, person });
      await tellSuperAdmins(tx, deps, caller, filled, 'organization/signin');
    }
    return answer;
  });

/** Tells the Super Admins of what happened by itself, under the organization's lock. */
export async function tellOf(
  tx: Tx,
  deps: Deps,
  orgId: OrgId,
  wordsFor: (organization: string) => Filled,
  page: SuperAdminPage = 'organization/signin',
) {
  const organization = await lockOrganization(tx, orgId);
  if (!organization) return;
  const { name, urlName } = organization;
  await tellSuperAdmins(tx, deps, { orgId, urlName }, wordsFor(name), page);
}

/** A role that people get by themselves later: one that the caller may give, and never Super Admin. */
export async function roleToGive(tx: Tx, orgId: OrgId, caller: Admin, roleId: RoleId | undefined) {
  const role = roleId === undefined ? undefined : await findRole(tx, orgId, roleId);
  if (!role) return refuse('role_not_found');
  const isTooMuch = role.rank === 'superAdmin' || whyNot(caller, { to: 'grant', power: role });
  return isTooMuch ? refuse('not_allowed', detailsOfRole(caller, role)) : role;
}

/** The refusal of a caller who may not see the settings. */
export async function refuseOthers({ sql }: Deps, { orgId, userId }: OrgCaller) {
  const caller = await findCaller(sql, orgId, userId);
  if (!caller) return refuse('org_not_found');
  return whyNot(caller, matter) ? refuse('super_admin_only', matter) : undefined;
}
