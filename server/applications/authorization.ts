// The page on which people allow an application what it asks for: it shows the open request and stores the answer.
import type { authorization, Proof } from '#contract/applications/authorization.ts';
import { type Scope, SCOPES } from '#contract/applications/registration.ts';
import type { Input } from '#contract/endpoint.ts';
import type { Destination } from '#contract/site.ts';
import { refuse } from '#contract/errors.ts';
import { isStrong } from '#contract/organizations/second-step-rule.ts';
import { product } from '#contract/product.ts';
import type { OrgId, UserId } from '#contract/wire.ts';
import { findAccountById } from '#server/accounts/data.ts';
import { findClient, findIconPath, listCards } from './data-clients.ts';
import { findAccess, type Access } from './data-grants.ts';
import { answerRequest, findRecord } from './data-records.ts';
import { LEAVING, type Leaving } from './error-pages.ts';
import { OUTSIDE, destinationOf, hintedEmail, stepOf, hostOf } from './rules.ts';
import { transaction } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { personOf } from '#server/keys.ts';
import { looksLike } from '#server/look-alikes.ts';
import { allowedRedirect } from '#server/redirects.ts';
import type { ProvenOwner } from '#server/sessions/actions.ts';
import { findProofs, type Prover, readProofs } from '#server/sign-in/step-up/actions.ts';

type SignedInPerson = ProvenOwner & Prover & { readonly email: string | null; readonly fullName: string };

const at = ({ userId, sessionId }: SignedInPerson) => ({ userId, sessionId });

type OpenRequest = {
  readonly prompt: { readonly name: string; readonly details?: { readonly orgId?: OrgId } };
  readonly params: {
    readonly client_id: string;
    readonly redirect_uri: string;
    readonly scope?: string;
    readonly prompt?: string;
    readonly login_hint?: string;
  };
  readonly returnTo: string;
  readonly askedAt: string;
  readonly lastSubmission?: Answers;
};

async function findRequest(deps: Deps, id: string) {
  const record = await findRecord(deps, 'Interaction', id);
  const request = record?.payload as OpenRequest | undefined;
  const client = request && (await findClient(deps.sql, request.params.client_id));
  return request && client && { request, client };
}

/** The address of an error, as a request that only shows it. */
async function findLeaving(deps: Deps, id: string): Promise<Awaited<ReturnType<typeof findRequest>>> {
  const record = await findRecord(deps, LEAVING, id);
  const { clientId, url } = (record?.payload ?? {}) as Partial<Leaving>;
  const client = clientId && (await findClient(deps.sql, clientId));
  if (!client || !url) return undefined;
  const params = { client_id: clientId, redirect_uri: url };
  return { request: { prompt: { name: LEAVING }, params, returnTo: url, askedAt: '' }, client };
}

const requestPath = /^\/authorize\?request=([\w-]{1,100})$/;
type Query = Readonly<Record<string, unknown>>;

/** Of an open request, or the suite's only one at the address. The query gives no word: anybody may have written it. */
function destinationFinder(deps: Deps, query: Query): (() => Promise<Destination | null>) | undefined {
  const { redirectpath, redirect_url: url, ...others } = query;
  // Each of these comes first at sign-in and names no application.
  if (['source', 'next', 'action'].some((name) => name in others)) return undefined;
  if (url !== undefined) {
    const origin = typeof url === 'string' ? allowedRedirect(deps.config, url)?.origin : undefined;
    return origin === undefined ? undefined : () => findCardAt(deps, origin);
  }
  const [, id] = (typeof redirectpath === 'string' && requestPath.exec(redirectpath)) || [];
  return id === undefined ? undefined : () => findAsking(deps, id);
}

async function findCardAt(deps: Deps, origin: string) {
  const cards = await listCards(deps.sql);
  const [card, ...more] = cards.filter(({ url }) => new URL(url).origin === origin);
  return card && more.length === 0 ? destinationOf(card) : null;
}

async function findAsking(deps: Deps, id: string) {
  const match = await findRequest(deps, id);
  if (!match) return null;
  const { request, client } = match;
  const host = client.is_first_party ? undefined : hostOf(request.params.redirect_uri);
  const icon = await findIconPath(deps.sql, client.id);
  return destinationOf({ name: client.name, icon, host });
}

export const registryOf = (deps: Deps) => ({
  clock: deps.clock,
  list: () => listCards(deps.sql),
  destinationFinder: (query: Query) => destinationFinder(deps, query),
});

const questionOf = (
  { prompt, params, askedAt }: OpenRequest,
  caller: SignedInPerson | null,
  access: Access | null,
  needs: 'company' | 'second-step' | null = null,
) => ({
  needs,
  prompt: prompt.name,
  wantsSignUp: params.prompt?.split(' ').includes('create') === true,
  isSignedIn: caller !== null,
  needsAccount: access?.needsAccount === true,
  isProven: caller !== null && access?.needsAccount !== true && caller.authenticatedAt >= new Date(askedAt),
});

export async function showRequest(
  deps: Deps,
  caller: SignedInPerson | null,
  input: Input<typeof authorization.show>,
) {
  const match = (await findRequest(deps, input.request)) ?? (await findLeaving(deps, input.request));
  if (!match) return refuse('authorization_expired');
  const { request, client } = match;
  const access =
    caller &&
    (await findAccess(deps.sql, { ...at(caller), applicationId: client.id, now: deps.clock.now() }));
  // Before the account's proof the page names no organization.
  const organizations = access?.needsAccount ? [] : (access?.organizations ?? []);
  const organization = organizations.find(({ id }) => id === request.prompt.details?.orgId);
  const isWithout = request.prompt.name === 'second_step' && !organization && access?.secondStep === null;
  const secondStep = caller && isWithout ? await findSecondStep(deps, caller.userId) : null;
  const needs = organization ? organization.needs : secondStep && 'second-step';
  const step = stepOf(questionOf(request, caller, access, needs));
  const owner = organizations.find(({ id }) => id === client.org_id);
  const listed = step === 'organization' ? organizations : organization && [organization];
  const scopeNames = new Set(request.params.scope?.split(' '));
  return {
    step,
    application: {
      name: client.name,
      icon: await findIconPath(deps.sql, client.id),
      // An organization may not pass for the portal.
      organization: owner && !looksLike(owner.name, [product.name]) ? owner.name : null,
      isFirstParty: client.is_first_party,
      host: hostOf(request.params.redirect_uri),
    },
    person: caller && personOf(deps.keys, caller.userId),
    signedInAs: caller && (caller.email ?? caller.fullName),
    loginHint: hintedEmail(request.params.login_hint),
    proof: step === 'confirm' && caller ? await findFirstProof(deps, caller) : secondStep,
    scopes: SCOPES.filter((scope: Scope) => scopeNames.has(scope)),
    organizations: [...(listed ?? [])],
    errorUrl: step === 'leave' ? request.returnTo : null,
  };
}

async function findFirstProof(deps: Deps, caller: SignedInPerson): Promise<Proof> {
  const { ways, missing } = await readProofs(deps, caller);
  return (missing?.ways ?? ways)[0] ?? 'sign-in';
}

export async function answerAuthorization(
  deps: Deps,
  caller: SignedInPerson,
  input: Input<typeof authorization.answer>,
) {
  const match = await findRequest(deps, input.request);
  if (!match) return refuse('authorization_expired');
  const { request, client } = match;
  const answer = input.accept
    ? await answerTo(deps, caller, request, client.id, input)
    : {
        error: 'access_denied',
        error_description: request.prompt.name === 'outside' ? OUTSIDE : 'the person declined',
      };
  if (answer === 'reauthentication_required' || answer === 'org_not_found') return refuse(answer);
  const result = { ...request.lastSubmission, ...answer };
  const isOpen = await transaction(deps.sql, (tx) => answerRequest(tx, input.request, result));
  return isOpen ? { url: request.returnTo } : refuse('authorization_expired');
}

async function answerTo(
  deps: Deps,
  caller: SignedInPerson,
  request: OpenRequest,
  applicationId: Parameters<typeof findAccess>[1]['applicationId'],
  { orgId, remember }: Input<typeof authorization.answer>,
) {
  const { askedAt } = request;
  const prompt = request.prompt.name;
  const access = await findAccess(deps.sql, { ...at(caller), applicationId, now: deps.clock.now() });
  if (stepOf(questionOf(request, caller, access)) === 'confirm') return 'reauthentication_required';
  const by = { userId: caller.userId };
  // An earlier session may take over here. It proves the person only if it is younger than the request.
  const proof = { ...by, since: askedAt };
  if (prompt === 'sign_in') return { sign_in: by, proof };
  if (prompt === 'login') return { proof };
  if (prompt === 'consent') return { consent: by };
  if (prompt !== 'organization') return { [prompt]: {} };
  return access.organizations.some(({ id, mayEnter }) => id === orgId && mayEnter)
    ? { organization: { orgId, remember: remember === true } }
    : 'org_not_found';
}

type By = { readonly userId: UserId };
/** The answers on the page of a request, kept with it. */
export type Answers = {
  /** The person who signed in on the page of this request. */
  readonly sign_in?: By;
  /** The person, and since when their session must have been proven. */
  readonly proof?: By & { readonly since: string };
  readonly select_account?: object;
  readonly consent?: By;
  readonly organization?: { readonly orgId: OrgId; readonly remember: boolean };
};

/** The first way in which a person can add a second step to their session; null for a person who has none. */
export async function findSecondStep(deps: Deps, userId: UserId): Promise<Proof | null> {
  const ways = await findProofs(deps, userId);
  const way = ways.find(isStrong);
  if (way) return way;
  const account = await findAccountById(deps.sql, userId, deps.clock.now());
  if (account?.mfa_enabled !== true) return null;
  return ways.includes('mail') ? 'mail' : 'sign-in';
}
