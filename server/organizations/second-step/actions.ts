import type { Input } from '#contract/endpoint.ts';
import { Refusal, refuse } from '#contract/errors.ts';
import type { secondStepRules } from '#contract/organizations/second-step.ts';
import {
  isWithin,
  SECOND_STEP_RULES,
  type SecondStepRule,
} from '#contract/organizations/second-step-rule.ts';
import { refusalText } from '#words/refusal.ts';
import type { OrgId, UserId } from '#contract/wire.ts';
import type { Membership, Session } from '#contract/access/facts.ts';
import { asksStep, isReady, type Means, meets } from '#server/access/rules.ts';
import { findAccountById } from '#server/accounts/data.ts';
import { recordActivity } from '#server/activity/data.ts';
import { changes } from '#server/activity/rules.ts';
import { type Db, transaction } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { adminUnderLock, type OrgActor } from '#server/members/actions.ts';
import { listTwoSuperAdmins } from '#server/members/standing/data.ts';
import { countUnready, getRule, storeRule } from './data.ts';
import { tellUnready } from './jobs.ts';
import type { SessionOwner } from '#server/sessions/actions.ts';
import { hasSession } from '#server/sessions/data.ts';
import { findFactors } from '#server/sign-in/factors/data.ts';
import { hasSpare } from '#server/sign-in/factors/rules.ts';

const refuseAdmin = () => refuse('super_admin_only', { details: refusalText.superAdminOfSecondSteps });

export async function findOwnSteps(sql: Db, userId: UserId, now: Date) {
  const account = await findAccountById(sql, userId, now);
  return { ...(await findFactors(sql, userId)), isTwoStepOn: account?.mfa_enabled === true };
}

const strictest = (meets: (rule: SecondStepRule) => boolean) => SECOND_STEP_RULES.findLast(meets) ?? 'none';

/** The strictest rule that the loss of one second step may not turn against the organization's last Super Admin. */
async function findSpare(sql: Db, orgId: OrgId, steps: Means) {
  const isAlone = (await listTwoSuperAdmins(sql, orgId)).length === 1;
  return strictest((rule) => !isAlone || hasSpare(rule, steps));
}

type Caller = SessionOwner & Session;
async function show(sql: Db, { clock }: Pick<Deps, 'clock'>, orgId: OrgId, { userId, secondStep }: Caller) {
  const now = clock.now();
  const { rule, from } = await getRule(sql, orgId);
  const steps = await findOwnSteps(sql, userId, now);
  return {
    rule,
    from,
    holds: from !== null && from <= now,
    ...(await countUnready(sql, orgId)),
    proven: strictest((one) => meets(one, secondStep)),
    ready: strictest((one) => isReady(one, steps)),
    spare: await findSpare(sql, orgId, steps),
  };
}

export const readRule = async (deps: Deps, { orgId, rank }: OrgActor, caller: Caller) =>
  rank === 'superAdmin' ? show(deps.sql, deps, orgId, caller) : refuseAdmin();

/** The organizations that ask for a second step which the person has not set up or this session has not given. */
export async function listAwaiting(
  deps: Deps,
  organizations: readonly Membership[],
  session: Session & { readonly userId: UserId },
) {
  const { userId, secondStep, enteredWithStep } = session;
  const ruled = organizations.filter(({ stepFrom }) => stepFrom !== null);
  if (ruled.length === 0) return {};
  const now = deps.clock.now();
  const steps = await findOwnSteps(deps.sql, userId, now);
  const awaiting = ruled
    .map((one) => ({
      id: one.orgId,
      name: one.organization,
      urlName: one.urlName,
      rule: one.stepRule,
      from: one.stepFrom ?? now,
      isClosed: asksStep(one, session, now),
      // A provider gives its step at each sign-in, so nothing is left to set up.
      isReady:
        isReady(one.stepRule, steps) ||
        (one.stepRule === 'any' && secondStep === 'provider') ||
        enteredWithStep.includes(one.orgId),
    }))
    .filter((one) => one.isClosed || !one.isReady);
  return awaiting.length > 0 ? { awaiting } : {};
}

/** Notifies members without it. A Super Admin must meet the rule, or they would lock themselves out. */
export const setRule = (
  deps: Deps,
  scope: OrgActor,
  caller: Caller,
  { rule, from }: Input<typeof secondStepRules.setRule>,
) =>
  transaction(deps.sql, async (tx) => {
    const { orgId, userId } = scope;
    const admin = await adminUnderLock(tx, scope);
    if (admin instanceof Refusal) return admin;
    if (admin.rank !== 'superAdmin') return refuseAdmin();
    if (!(await hasSession(tx, caller.sessionId))) return refuse('not_signed_in');
    const now = deps.clock.now();
    const start = rule === 'none' ? null : from && from > now ? from : now;
    const before = await getRule(tx, orgId);
    const heldBefore = before.from !== null && before.from <= now;
    const isSameStart = before.from?.getTime() === start?.getTime() || (heldBefore && start === now);
    if (before.rule === rule && isSameStart) return refuse('no_changes');
    const asked = { ...scope, stepRule: rule, stepFrom: start && now };
    if (asksStep(asked, caller, now))
      return refuse('second_step_required', { details: refusalText.ownSecondStepFirst });
    const spare = await findSpare(tx, orgId, await findOwnSteps(tx, userId, now));
    if (!caller.enteredWithStep.includes(orgId) && !isWithin(rule, spare))
      return refuse('second_step_required', { details: refusalText.spareStepFirst });
    await storeRule(tx, orgId, rule, start);
    await recordActivity(tx, deps, 'organization.organizationInformation.update', {
      orgId,
      userId,
      recordId: orgId,
      information: changes(
        { second_step_rule: before.rule, second_step_from: before.from?.toISOString() ?? null },
        { second_step_rule: rule, second_step_from: start?.toISOString() ?? null },
      ),
    });
    if (start) await tellUnready(tx, deps, { orgId, from: start.getTime(), after: 0 as UserId });
    return show(tx, deps, orgId, caller);
  });
