// Decides what the provider asks a person before an application gets a code: to sign in, to prove more, or to consent.
import { errors, interactionPolicy, type KoaContextWithOIDC } from 'oidc-provider';
import type { ApplicationId } from '#contract/applications/registration.ts';
import type { OrgId } from '#contract/wire.ts';
import { type Answers, findSecondStep } from './authorization.ts';
import { findAccess, makeSubject } from './data-grants.ts';
import { giveAccess } from './grants.ts';
import {
  acrOf,
  amrOf,
  type Choice,
  chooseOrganization,
  needsConsent,
  prefersSecondStep,
  OUTSIDE,
} from './rules.ts';
import { currentVisit, type Visitor } from './visit.ts';
import { transaction } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';

const { Check, Prompt, base } = interactionPolicy;

type RegisteredClient = {
  readonly clientId: string;
  readonly application_id: ApplicationId;
  readonly org_id: OrgId | null;
  readonly members_of: OrgId | 0 | null;
  readonly is_first_party: boolean;
  readonly apis: readonly string[];
  readonly applicationType: string;
};

/** The time of the last proof in epoch seconds of the machine's clock, which the provider reads. */
const loginTime = ({ clock }: Deps, { authenticatedAt }: Visitor) =>
  Math.floor((Date.now() - (clock.now().getTime() - authenticatedAt.getTime())) / 1000);

const sessionOf = ({ oidc }: KoaContextWithOIDC) => {
  if (!oidc.session) throw new Error('an authorization request has a session');
  return oidc.session;
};

const answersTo = ({ oidc }: KoaContextWithOIDC) => (oidc.result ?? {}) as Answers;

/** Whether this very session was proven after the request, however long the person read the next page. */
export async function isProven(ctx: KoaContextWithOIDC): Promise<boolean> {
  const { proof } = answersTo(ctx);
  const visitor = await currentVisit().findVisitor();
  return (
    proof !== undefined &&
    proof.userId === visitor?.userId &&
    visitor.authenticatedAt >= new Date(proof.since)
  );
}

type Admission = {
  readonly choice: Choice;
  /** Only a company has vouched for the person, and not for this application. */
  readonly needsAccount: boolean;
  /** Whether the person has to answer the consent page first. */
  readonly asksConsent: boolean;
  /** Lets them in. It writes, so every question must have its answer by then. */
  readonly enter: () => Promise<void>;
};

const isClosedBy = (choice: Choice | undefined, needs: 'company' | 'second-step') =>
  choice?.is === 'closed' && choice.needs === needs;

async function admit(ctx: KoaContextWithOIDC, deps: Deps, visitor: Visitor): Promise<Admission> {
  const { oidc } = ctx;
  const session = sessionOf(ctx);
  const client = oidc.client as unknown as RegisteredClient;
  const at = { userId: visitor.userId, applicationId: client.application_id };
  const { sessionId } = visitor;
  const access = await findAccess(deps.sql, { ...at, sessionId, now: deps.clock.now() });
  const { entry } = access;
  const subject = access.subject ?? (await transaction(deps.sql, (tx) => makeSubject(tx, visitor.userId)));
  session.authorizations = entry ? { [client.clientId]: { sid: entry.sid } } : {};
  session.loginAccount({
    accountId: subject,
    loginTs: loginTime(deps, visitor),
    acr: acrOf(access.secondStep),
    amr: amrOf(access.methods, access.secondStep),
  });
  oidc.entity('Account', { accountId: subject, claims: () => ({ sub: subject }) });

  const answers = answersTo(ctx);
  const { organization: wantedName } = oidc.params as { readonly organization?: string };
  const choice = chooseOrganization({
    ownedBy: client.org_id,
    membersOf: client.members_of,
    wantedName,
    chosenId: answers.organization?.orgId,
    asksForOrganization: oidc.requestParamScopes.has('organization'),
    lastOrgId: oidc.prompts.has('select_account') ? undefined : entry?.orgId,
    organizations: access.organizations,
    grants: access.grants,
  });
  const { Grant } = oidc.provider;
  const grant = new Grant({ accountId: subject, clientId: client.clientId });
  oidc.entity('Grant', grant);
  const requestedScopes = [...oidc.requestParamOIDCScopes];
  const orgId = choice.is === 'settled' ? choice.orgId : null;
  const lastGrant = access.grants.find((one) => one.orgId === orgId);
  const missing = requestedScopes.filter((scope) => lastGrant?.scopes.includes(scope) !== true);
  const hasConsent = answers.consent?.userId === visitor.userId;
  const isAsked = oidc.prompts.has('consent') || needsConsent(client, missing);

  return {
    choice,
    needsAccount: access.needsAccount,
    asksConsent: isAsked && !hasConsent,
    enter: async () => {
      const remember = answers.organization?.remember === true;
      const row =
        lastGrant && missing.length === 0 && !remember
          ? lastGrant
          : await giveAccess(deps, {
              ...at,
              orgId,
              scopes: requestedScopes,
              now: deps.clock.now(),
              consented: hasConsent,
              remember,
              application: String(oidc.client?.clientName),
              isForeign: !client.is_first_party && client.org_id === null,
            });
      if (!row) throw new errors.AccessDenied('the account has ended');
      session.ensureClientContainer(client.clientId);
      grant.jti = `${row.id}.${session.sidFor(client.clientId)}`;
      grant.addOIDCScope(row.scopes.join(' '));
      for (const api of client.apis) grant.addResourceScope(api, row.scopes.join(' '));
      session.grantIdFor(client.clientId, grant.jti);
    },
  };
}

export function policyOf(deps: Deps) {
  const admissions = new WeakMap<KoaContextWithOIDC, Admission>();
  const choiceOf = (ctx: KoaContextWithOIDC) => admissions.get(ctx)?.choice;
  const detailsOf = (ctx: KoaContextWithOIDC) => ({ ...choiceOf(ctx) });
  const signInCheck = new Check('signed_out', 'nobody is signed in', 'login_required', async (ctx) => {
    const visitor = await currentVisit().findVisitor();
    if (!visitor) return Check.REQUEST_PROMPT;
    admissions.set(ctx, await admit(ctx, deps, visitor));
    return Check.NO_NEED_TO_PROMPT;
  });
  const policy = base();
  const login = policy.get('login');
  login?.checks.remove('no_session');
  login?.checks.remove('login_prompt');
  login?.checks.remove('max_age');
  login?.checks.add(
    new Check('login_prompt', 'a new sign-in is asked for', 'login_required', async (ctx) => {
      if (admissions.get(ctx)?.needsAccount) return Check.REQUEST_PROMPT;
      if (await isProven(ctx)) return Check.NO_NEED_TO_PROMPT;
      const { prompts, params } = ctx.oidc;
      const { max_age: maxAge } = params as { readonly max_age?: string };
      return prompts.has('login') || (maxAge !== undefined && sessionOf(ctx).past(Number(maxAge)));
    }),
  );
  policy.add(new Prompt({ name: 'sign_in', requestable: false }, signInCheck), 0);
  for (const name of ['select_account', 'create']) {
    const prompt = new Prompt({ name, requestable: true });
    prompt.checks.remove(`${name}_prompt`);
    // A person who has just signed in or up for this request has chosen their account.
    const isUnanswered = async (ctx: KoaContextWithOIDC) =>
      ctx.oidc.promptPending(name) && !(answersTo(ctx).sign_in && (await isProven(ctx)));
    prompt.checks.add(
      new Check(`${name}_prompt`, 'the account is asked for', 'account_selection_required', isUnanswered),
    );
    policy.add(prompt, 2);
  }
  const outsideCheck = new Check(
    'outside',
    OUTSIDE,
    'access_denied',
    (ctx) => choiceOf(ctx)?.is === 'outside',
  );
  policy.add(new Prompt({ name: 'outside', requestable: false }, outsideCheck), 4);
  const openCheck = new Check(
    'organization',
    'the organization is open',
    'interaction_required',
    (ctx) => choiceOf(ctx)?.is === 'open',
  );
  policy.add(new Prompt({ name: 'organization', requestable: false }, openCheck), 5);
  const closedCheck = (needs: 'company' | 'second-step', description: string) =>
    new Check(
      needs,
      description,
      'interaction_required',
      (ctx) => isClosedBy(choiceOf(ctx), needs),
      detailsOf,
    );
  const companyCheck = closedCheck('company', 'the organization is entered through its company');
  const stepCheck = closedCheck('second-step', 'the organization asks for a second step');
  const acrCheck = new Check(
    'acr',
    'the application asks for a second step',
    'interaction_required',
    async (ctx) => {
      const { prompts, params } = ctx.oidc;
      const { acr_values: acrValues } = params as { readonly acr_values?: string };
      // `acr` is a voluntary claim, so a silent request gets the lower value instead of an error.
      if (prompts.has('none') || !prefersSecondStep(acrValues) || sessionOf(ctx).acr !== acrOf(null))
        return Check.NO_NEED_TO_PROMPT;
      const visitor = await currentVisit().findVisitor();
      return visitor !== null && (await findSecondStep(deps, visitor.userId)) !== null;
    },
  );
  policy.add(new Prompt({ name: 'second_step', requestable: false }, companyCheck, stepCheck, acrCheck), 6);
  const consent = policy.get('consent');
  if (consent) {
    // The page names the organization.
    consent.details = detailsOf;
    consent.checks.clear();
    const consentCheck = new Check(
      'unanswered',
      'the person has not consented',
      'consent_required',
      (ctx) => admissions.get(ctx)?.asksConsent === true,
    );
    consent.checks.add(consentCheck);
  }
  // The last prompt asks nothing: all questions before it have their answers.
  const enterCheck = new Check('entered', 'the person enters', async (ctx) => {
    await admissions.get(ctx)?.enter();
    return Check.NO_NEED_TO_PROMPT;
  });
  policy.add(new Prompt({ name: 'enter', requestable: false }, enterCheck));
  return policy;
}
