import type { companyRules } from '#contract/company-sign-in/rule.ts';
import type { Input } from '#contract/endpoint.ts';
import { refuse } from '#contract/errors.ts';
import { isStrong } from '#contract/organizations/second-step-rule.ts';
import { personName } from '#contract/profile/person-name.ts';
import type { OrgId, UserId } from '#contract/wire.ts';
import { isReady } from '#server/access/rules.ts';
import { findUser } from '#server/accounts/data.ts';
import { changes } from '#server/activity/rules.ts';
import {
  type Change,
  companyNews,
  refuseOthers,
  settingsChange,
  tellOf,
} from '#server/company-sign-in/changes.ts';
import type { SuperAdmin } from '#server/members/super-admin-news/acts.ts';
import { listConnections } from '#server/company-sign-in/connections/data.ts';
import { getCompanyRule } from '#server/company-sign-in/data.ts';
import { countUnlinked, storeCompanyRule } from './data.ts';
import { type Db, transaction } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { findOwnSteps } from '#server/organizations/second-step/actions.ts';
import type { Session } from '#contract/access/facts.ts';

type Ruler = SuperAdmin & Pick<Session, 'secondStep' | 'entered'>;
async function show(sql: Db, { clock }: Deps, { orgId, userId, secondStep, entered }: Ruler) {
  const { rule, from } = await getCompanyRule(sql, orgId);
  const now = clock.now();
  return {
    rule,
    from,
    holds: from !== null && from <= now,
    ...(await countUnlinked(sql, orgId)),
    hasEntered: entered.includes(orgId),
    hasStrongStep: secondStep !== null && isStrong(secondStep),
    isStepReady: isReady('strong', await findOwnSteps(sql, userId, now)),
  };
}

export const readCompanyRule = async (deps: Deps, actor: Ruler) =>
  (await refuseOthers(deps, actor)) ?? show(deps.sql, deps, actor);

/** A Super Admin who sets a rule has just come through the provider, and has a strong step for the day it breaks. */
export const setCompanyRule = settingsChange(
  async ({ tx, deps, orgId, actor }: Change<Ruler>, { rule, from }: Input<typeof companyRules.set>) => {
    const { secondStep } = actor;
    const now = deps.clock.now();
    const start = rule === 'nobody' ? null : from && from > now ? from : now;
    const before = await getCompanyRule(tx, orgId);
    const isSameStart =
      before.from?.getTime() === start?.getTime() ||
      (before.from !== null && before.from <= now && start === now);
    if (before.rule === rule && isSameStart) return refuse('no_changes');
    if (rule !== 'nobody') {
      if (!(await listConnections(tx, orgId)).some(({ isOn }) => isOn)) return refuse('connection_not_found');
      if (!actor.entered.includes(orgId)) return refuse('company_sign_in_required');
      if (secondStep === null || !isStrong(secondStep)) return refuse('second_step_required');
    }
    await storeCompanyRule(tx, orgId, rule, start);
    const information = changes(
      { company_rule: before.rule, company_rule_from: before.from?.toISOString() ?? null },
      { company_rule: rule, company_rule_from: start?.toISOString() ?? null },
    );
    const letter = rule === 'nobody' ? 'ruleLifted' : 'ruleSet';
    return {
      act: 'organization.companyConnection.update',
      recordId: orgId,
      information,
      news: (names) => companyNews(letter, names),
      answer: await show(tx, deps, actor),
    };
  },
);

type BreakGlass = { readonly orgId: OrgId; readonly userId: UserId };
/** All Super Admins learn that one of them went around the company's provider. */
export const tellOfBreakGlass = (deps: Deps, { orgId, userId }: BreakGlass) =>
  transaction(deps.sql, async (tx) => {
    const user = await findUser(tx, userId);
    if (!user) return;
    const person = personName(user.first_name, user.last_name, user.email);
    const newsFor = (organization: string) => companyNews('brokenGlass', { organization, person });
    await tellOf(tx, deps, orgId, newsFor, 'recentactivity');
  });
