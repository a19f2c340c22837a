// Whether a person, in a session, may be in a place, and which demands are still unmet there. Everybody who asks reads the
// facts with `data.ts` and asks `demands`.
import type { Membership, Session } from '#contract/access/facts.ts';
import { DEMANDS, type Demand, type NoEntry } from '#contract/access/demands.ts';
import {
  isStrong,
  type ProvenStep,
  SECOND_STEP_RULES,
  type SecondStepRule,
} from '#contract/organizations/second-step-rule.ts';
import type { SecondStep } from '#contract/sign-in/calls.ts';
import type { OrgId } from '#contract/wire.ts';

/** The ways into an account. */
export type Means = {
  readonly passkeys: number;
  readonly hasApp: boolean;
  readonly recoveryCodesLeft: number;
  readonly isMailConfirmed: boolean;
  readonly isTwoStepOn: boolean;
};
type Steps = Pick<Means, 'passkeys' | 'hasApp' | 'isTwoStepOn'>;

export type Facts<Of extends Membership = Membership> = {
  /** Asked at sign-in only: an open session belongs to an open account. */
  readonly account?: { readonly isBlocked: boolean; readonly mustConfirm: boolean };
  /** Null for a token that outlives sessions. */
  readonly session: Session | null;
  /** Asked of an account that only a company has vouched for. */
  readonly isTwoStepOn?: boolean | undefined;
  /** Those that the place asks about: all, or the one of its organization. */
  readonly memberships: readonly Of[];
  /** The organization whose link waits in this browser. */
  readonly linksTo?: OrgId | null;
};

export type Place =
  /** `stepComes`: the second step is asked next. */
  | { readonly at: 'sign-in'; readonly stepComes: boolean }
  | { readonly at: 'account' }
  | { readonly at: 'organization'; readonly orgId: OrgId }
  /** `ownedBy`: the organization whose own application it is, or whose members alone it admits. */
  | { readonly at: 'application'; readonly ownedBy: OrgId | null; readonly orgId: OrgId | null };

export type Act = {
  /** A proof of this time, or an older one, will not do. */
  readonly provenAfter?: Date;
  /** The act adds or replaces ways into the account, which has these means. */
  readonly changesWays?: Pick<Means, 'passkeys' | 'hasApp' | 'isMailConfirmed'>;
};

export type Asked = Facts & {
  readonly place: Place;
  readonly now: Date;
  readonly act: Act;
  /** The membership in the organization of the place. */
  readonly membership: Membership | undefined;
};

const holds = (from: Date | null, now: Date) => from !== null && from <= now;
const hasStrongStep = (session: Session | null) =>
  session !== null && session.secondStep !== null && isStrong(session.secondStep);

/** Whether a second step is enough for a rule. */
export const meets = (rule: SecondStepRule, step: ProvenStep | null) =>
  rule === 'none' || (step !== null && (rule === 'any' || isStrong(step)));

export const hasStrong = ({ passkeys, hasApp }: Pick<Means, 'passkeys' | 'hasApp'>) => passkeys > 0 || hasApp;

export type SignInStep = Exclude<SecondStep, 'recovery'>;
/** The second steps that the person's next sign-in can give. A passkey gives it by itself. */
const gives: Readonly<Record<SignInStep, (steps: Steps) => boolean>> = {
  passkey: ({ passkeys }) => passkeys > 0,
  app: ({ isTwoStepOn, hasApp }) => isTwoStepOn && hasApp,
  mail: ({ isTwoStepOn }) => isTwoStepOn,
};
export const SIGN_IN_STEPS = Object.keys(gives) as SignInStep[];
/** Whether the person's next sign-in can meet a rule: `isReadyFor` in SQL. */
export const isReady = (rule: SecondStepRule, steps: Steps) =>
  rule === 'none' || SIGN_IN_STEPS.some((step) => gives[step](steps) && meets(rule, step));

type StepRule = Pick<Membership, 'orgId' | 'stepRule' | 'stepFrom'>;
/** Whether the rule for second steps keeps a session out. A step that the provider said counts in its organization only. */
export const asksStep = ({ orgId, stepRule, stepFrom }: StepRule, session: Session | null, now: Date) =>
  holds(stepFrom, now) &&
  session?.enteredWithStep.includes(orgId) !== true &&
  !meets(stepRule, session?.secondStep ?? null);

/** Whether the rule of a company holds for this member. "Those with an address" includes linked people. */
const companyAsked = ({ companyRule, companyFrom, isLinked, hasAddress }: Membership, now: Date) =>
  companyRule !== 'nobody' &&
  holds(companyFrom, now) &&
  (companyRule === 'everybody' || isLinked || hasAddress);

/** Whether a company closes the own ways into an account, because it decides the address. */
const closesOwnWays = (membership: Membership, now: Date) =>
  membership.isActive && membership.hasAddress && companyAsked(membership, now);

/** The companies that close the own ways into an account; those of which the person is a Super Admin come last. */
export const closingCompanies = (memberships: readonly Membership[], now: Date) =>
  memberships
    .filter((one) => closesOwnWays(one, now))
    .toSorted((one, other) => Number(one.isSuperAdmin) - Number(other.isSuperAdmin));

/** The session that a sign-in with this second step opens. */
export const signedInBy = (secondStep: ProvenStep | null, authenticatedAt: Date): Session => ({
  secondStep,
  proven: 'account',
  authenticatedAt,
  entered: [],
  enteredWithStep: [],
});

/**
 * The account itself is proven, or a company vouches for it: while the person belongs nowhere else, and with a second step
 * of its own if two-step sign-in is on. A code to a mailbox of the company would be the same word twice.
 */
export const isAccountProven = ({ session, memberships, isTwoStepOn = false }: Facts) =>
  session === null ||
  session.proven === 'account' ||
  (session.authenticatedAt.getTime() > 0 &&
    memberships.some(({ isActive }) => isActive) &&
    memberships.every(({ orgId }) => orgId === session.entered[0]) &&
    (!isTwoStepOn || session.entered.every((orgId) => session.enteredWithStep.includes(orgId))));

/** The strictest rule for second steps of the person's organizations, or only of those that hold at a time, and whose it is. */
export function strictestStep(memberships: readonly Membership[], at?: Date) {
  const asking = memberships.filter(
    ({ isActive, isPaused, stepFrom }) => (isActive || isPaused) && (at === undefined || holds(stepFrom, at)),
  );
  const [first] = asking.toSorted((one, other) => strictness(other) - strictness(one));
  const rule = first?.stepRule ?? 'none';
  return { rule, organization: rule === 'none' ? null : (first?.organization ?? null) };
}
const strictness = ({ stepRule }: Membership) => SECOND_STEP_RULES.indexOf(stepRule);

/** Whether a demand is unmet. A further rule is a row here, its fact and its sentence. */
export const conditions: Record<Demand, (asked: Asked) => boolean> = {
  open: ({ account }) => account?.isBlocked === true,
  confirmed: ({ account }) => account?.mustConfirm === true,
  // A company's word is no proof of the person once they belong elsewhere.
  recent: (asked) => {
    const { session, act } = asked;
    if (act.provenAfter === undefined || session === null) return false;
    return session.authenticatedAt <= act.provenAfter || !isAccountProven(asked);
  },
  company: ({ place, session, memberships, membership, linksTo, now }) => {
    if (place.at === 'sign-in')
      return memberships.some(
        (one) =>
          closesOwnWays(one, now) &&
          one.orgId !== linksTo &&
          !(one.isSuperAdmin && (place.stepComes || hasStrongStep(session))),
      );
    if (!membership) return false;
    // Without a session nobody has come through the provider.
    if (session === null) return membership.companyRule !== 'nobody' && holds(membership.companyFrom, now);
    const breaksGlass = membership.isSuperAdmin && hasStrongStep(session);
    return companyAsked(membership, now) && !session.entered.includes(membership.orgId) && !breaksGlass;
  },
  account: (asked) => {
    const { place, session } = asked;
    if (place.at === 'sign-in' || session === null) return false;
    if (place.at === 'organization')
      return session.proven !== 'account' && !session.entered.includes(place.orgId);
    const isVouched =
      place.at === 'application' && place.ownedBy !== null && session.entered.includes(place.ownedBy);
    return !isVouched && !isAccountProven(asked);
  },
  step: ({ session, membership, now }) => membership !== undefined && asksStep(membership, session, now),
  strongStep: ({ session, memberships, act: { changesWays } }) =>
    changesWays !== undefined &&
    hasStrong(changesWays) &&
    !meets(strictestStep(memberships).rule, session?.secondStep ?? null),
  mailedCode: ({ session, memberships, act: { changesWays } }) =>
    changesWays !== undefined &&
    !hasStrong(changesWays) &&
    changesWays.isMailConfirmed &&
    strictestStep(memberships).rule !== 'none' &&
    !meets('any', session?.secondStep ?? null),
};

/** The unmet demands of a place, in the order in which it is met; the first is the refusal. Empty if the person may be there. */
export const demandsBy =
  <Name extends string>(table: Record<Name, (asked: Asked) => boolean>) =>
  (facts: Facts, place: Place, now: Date, act: Act = {}): Name[] => {
    const orgId = 'orgId' in place ? place.orgId : null;
    const membership = facts.memberships.find((one) => one.orgId === orgId);
    const asked = { ...facts, place, now, act, membership };
    return (Object.keys(table) as Name[]).filter((name) => table[name](asked));
  };
export const demands = demandsBy(conditions);

/** Why a session may not enter the organization of a membership now. */
export function whyNoEntry(membership: Membership, session: Session | null, now: Date): NoEntry | undefined {
  const place = { at: 'organization', orgId: membership.orgId } as const;
  const [first] = demands({ session, memberships: [membership] }, place, now);
  return first && (DEMANDS[first] as NoEntry);
}

/** The organizations of the person that the session may enter now, those that it may not, and whether it serves the account. */
export function sortOrganizations(facts: Facts, now: Date) {
  const { session, memberships } = facts;
  const { open = [], closed = [] } = Object.groupBy(
    memberships.filter(({ isActive }) => isActive),
    (one) => (whyNoEntry(one, session, now) === undefined ? 'open' : 'closed'),
  );
  return {
    open: open.map(({ orgId }) => orgId),
    closed: closed.map(({ orgId }) => orgId),
    isWhole: isAccountProven(facts),
  };
}
export type Organizations = ReturnType<typeof sortOrganizations>;
