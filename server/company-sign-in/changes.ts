import { whyNot } from '#contract/members/authority.ts';
import { Refusal, type RefusalName, refuse } from '#contract/errors.ts';
import type { OrgId, RoleId } from '#contract/wire.ts';
import { companyFieldText } from '#words/company-field.ts';
import { companyMailText } from '#words/company-mail.ts';
import { refusalText } from '#words/rules/refusal.ts';
import { getCompanyRule } from './data.ts';
import type { Tx } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { fillWords, type Given } from '#server/mail/frame.ts';
import type { Admin, OrgCaller } from '#server/members/actions.ts';
import { detailsOfRole } from '#server/members/rules.ts';
import { lockOrganization } from '#server/members/data.ts';
import { findRole } from '#server/members/standing/data.ts';
import { type News, type SuperAdminPage, tellSuperAdmins } from '#server/members/super-admin-news/actions.ts';
import {
  actAsSuperAdmin,
  type Done,
  type SuperAdmin,
  whyHidden,
} from '#server/members/super-admin-news/acts.ts';

const matter = { to: 'manageSignIn', details: refusalText.superAdminOfCompanySignIn } as const;
export type Change<Actor> = {
  readonly tx: Tx;
  readonly deps: Deps;
  readonly orgId: OrgId;
  readonly actor: Actor;
  readonly caller: Admin;
};
export type SettingsDone<Answer> = Omit<Done<Answer>, 'page'>;
/** A change of the settings by a Super Admin. */
export const settingsChange =
  <Asked, Answer, R extends RefusalName = never, Actor extends SuperAdmin = SuperAdmin>(
    run: (change: Change<Actor>, asked: Asked) => Promise<SettingsDone<Answer> | Refusal<R>>,
  ) =>
  (deps: Deps, actor: Actor, asked: Asked) =>
    actAsSuperAdmin(deps, actor, matter, async (tx, caller) => {
      const done = await run({ tx, deps, orgId: actor.orgId, actor, caller }, asked);
      return done instanceof Refusal ? done : { ...done, page: 'organization/signin' as const };
    });

type Letters = Omit<typeof companyMailText, 'domain' | 'linksEnded'>;
export const companyNews = <K extends keyof Letters>(kind: K, values: Given<Letters[K]>): News => ({
  kind,
  words: fillWords(companyMailText[kind], values),
});

/** Tells the Super Admins of what happened by itself, under the organization's lock. */
export async function tellOf(
  tx: Tx,
  deps: Deps,
  orgId: OrgId,
  newsFor: (organization: string) => News,
  page: SuperAdminPage = 'organization/signin',
) {
  const organization = await lockOrganization(tx, orgId);
  if (!organization) return;
  const { name, urlName } = organization;
  await tellSuperAdmins(tx, deps, { orgId, urlName }, newsFor(name), page);
}

/** A role that people get by themselves later: one that the caller may give, and never Super Admin. */
export async function roleToGive(tx: Tx, orgId: OrgId, caller: Admin, roleId: RoleId | undefined) {
  const role = roleId === undefined ? undefined : await findRole(tx, orgId, roleId);
  if (!role) return refuse('role_not_found');
  const isTooMuch = role.rank === 'superAdmin' || whyNot(caller, { to: 'grant', power: role });
  return isTooMuch ? refuse('not_allowed', detailsOfRole(caller, role)) : role;
}

export const roleName = async (tx: Tx, orgId: OrgId, roleId: RoleId | null) =>
  (roleId === null ? undefined : await findRole(tx, orgId, roleId))?.name ?? null;

/** Without a connection or a domain, a rule would let nobody in. */
export async function refuseUnderRule(tx: Tx, orgId: OrgId) {
  const { rule } = await getCompanyRule(tx, orgId);
  return rule === 'nobody' ? undefined : refuse('not_allowed', { details: companyFieldText.liftRuleFirst });
}

export const refuseOthers = (deps: Deps, caller: OrgCaller) => whyHidden(deps, caller, matter);
