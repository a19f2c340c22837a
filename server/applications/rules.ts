import type { Details } from '#contract/activity/recorded.ts';
import type { Step } from '#contract/applications/authorization.ts';
import type { GrantId } from '#contract/applications/registration.ts';
import { email } from '#contract/fields.ts';
import { product } from '#contract/product.ts';
import type { Destination } from '#contract/site.ts';
import { authorizeText as text } from '#words/authorize.ts';
import type { OrgId } from '#contract/wire.ts';

type StepQuestion = {
  /** The prompt that stopped the request. */
  readonly prompt: string;
  readonly wantsSignUp: boolean;
  readonly isSignedIn: boolean;
  /** Only a company has vouched for the person, and not for the application. */
  readonly needsAccount: boolean;
  /** Whether the person has proven who they are since the request. */
  readonly isProven: boolean;
  /** The step that the organization or the application still waits for. */
  readonly needs: 'company' | 'second-step' | null;
};

export function stepOf({
  prompt,
  wantsSignUp,
  isSignedIn,
  needsAccount,
  isProven,
  needs,
}: StepQuestion): Step {
  if (prompt === 'Leaving') return 'leave';
  if (!isSignedIn) return wantsSignUp ? 'sign-up' : 'sign-in';
  if (needsAccount) return 'confirm';
  if (prompt === 'login') return isProven ? 'go-on' : 'confirm';
  if (prompt === 'outside') return isProven ? 'go-on' : 'no-entry';
  if (prompt === 'select_account' || prompt === 'create') return isProven ? 'go-on' : 'account';
  if (prompt === 'second_step' && needs) return needs;
  return prompt === 'organization' || prompt === 'consent' ? prompt : 'go-on';
}

/** The address that `login_hint` names; null if it is none, such as a telephone number. */
export const hintedEmail = (hint: string | undefined): string | null => email.safeParse(hint).data ?? null;

type Organization = {
  readonly id: OrgId;
  readonly urlName: string;
  readonly mayEnter: boolean;
  readonly needs: 'company' | 'second-step' | null;
};

type Question = {
  readonly ownedBy: OrgId | null;
  /** The organization in the request, by its URL name. */
  readonly wantedName: string | undefined;
  /** The organization that the person chose on the page of this request. */
  readonly chosenId: OrgId | undefined;
  readonly asksForOrganization: boolean;
  /** The organization whose members may enter: 0 is any, null admits everybody. */
  readonly membersOf: OrgId | 0 | null;
  /** The organization of this session's last visit; null for a visit without one. */
  readonly lastOrgId: OrgId | null | undefined;
  readonly organizations: readonly Organization[];
  readonly grants: readonly { readonly orgId: OrgId | null; readonly isRemembered: boolean }[];
};

export type Choice =
  | { readonly is: 'settled'; readonly orgId: OrgId | null }
  | { readonly is: 'open' }
  | { readonly is: 'closed'; readonly orgId: OrgId; readonly needs: 'company' | 'second-step' }
  | { readonly is: 'outside' };

/** Chooses the organization of a visit. Another organization never replaces one that the request names. */
export function chooseOrganization(question: Question): Choice {
  const { wantedName, chosenId, lastOrgId, membersOf, organizations, grants } = question;
  const ownedBy = question.ownedBy ?? (membersOf || null);
  const settle = (one: Organization | undefined): Choice => {
    if (one?.mayEnter) return { is: 'settled', orgId: one.id };
    return one?.needs ? { is: 'closed', orgId: one.id, needs: one.needs } : { is: 'outside' };
  };
  if (ownedBy !== null) return settle(organizations.find(({ id }) => id === ownedBy));
  if (wantedName !== undefined) return settle(organizations.find(({ urlName }) => urlName === wantedName));
  if (!question.asksForOrganization && membersOf === null) return { is: 'settled', orgId: null };
  if (chosenId !== undefined) return settle(organizations.find(({ id }) => id === chosenId));
  const lastGrant = grants.find(({ orgId }) => orgId === lastOrgId) ?? grants.find((one) => one.isRemembered);
  const possible = organizations.filter(({ mayEnter, needs }) => mayEnter || needs);
  const again = possible.find(({ id, mayEnter }) => id === lastGrant?.orgId && mayEnter);
  if (again) return settle(again);
  const [first, ...others] = possible;
  if (!first) return membersOf === null ? { is: 'settled', orgId: null } : { is: 'outside' };
  return others.length === 0 ? settle(first) : { is: 'open' };
}

type Asking = {
  readonly is_first_party: boolean;
  readonly org_id: OrgId | null;
  readonly applicationType: string;
};

/** Whether a person has to consent before an application gets the scopes that it does not have yet. */
export function needsConsent(client: Asking, missing: readonly string[]): boolean {
  // Another program can claim the address of an installed one, so it asks each time.
  if (client.applicationType === 'native') return true;
  if (client.is_first_party) return false;
  // An organization decides about what it holds itself: names, address and role, but no phone number.
  return client.org_id === null ? missing.length > 0 : missing.includes('phone');
}

/** The strength of a sign-in: 1 without, 2 with a second step (OpenID Connect Core 1.0, `acr`). */
export const ACR_VALUES = ['1', '2'] as const;
/** Whether the request prefers a sign-in with a second step. Values that Portico does not know do not count. */
export const prefersSecondStep = (acrValues = '') =>
  acrValues.split(' ').find((value) => ACR_VALUES.some((known) => known === value)) === '2';
export const acrOf = (secondStep: string | null) => (secondStep === null ? '1' : '2');

/** The proofs of a sign-in; `mfa` says that there were two (RFC 8176, section 2). */
export const amrOf = (methods: readonly string[], secondStep: string | null) => [
  ...methods,
  ...(secondStep === null ? [] : ['mfa']),
];

/** The grant of a family of tokens: the id before the first dot. */
export const grantIn = (family: string | undefined): GrantId | undefined => {
  const id = Number(family?.split('.', 1)[0]);
  return Number.isSafeInteger(id) && id > 0 ? (id as GrantId) : undefined;
};

/** The path of an application's icon, up to the name of its file. */
export const ICON_PATH = '/drive/applicationicon?file_id=';

type OwnSettings = {
  readonly name: string;
  readonly description: string;
  readonly startUrl: string;
  readonly redirectUrls: readonly string[];
  readonly signedOutUrls: readonly string[];
  readonly signOutUrl: string;
  readonly isForEveryone: boolean;
};
type Own = OwnSettings & { readonly kind: string; readonly roles: string };

export const ownRow = (settings: OwnSettings) => ({
  name: settings.name,
  description: settings.description,
  start_url: settings.startUrl || null,
  redirect_urls: [...settings.redirectUrls],
  signed_out_urls: [...settings.signedOutUrls],
  sign_out_url: settings.signOutUrl || null,
  is_for_everyone: settings.isForEveryone,
});

/** The settings as the activity log writes them. A list is one text, so that equal lists compare as equal. */
export const recordedSettings = (own: Own): Details => ({
  name: own.name,
  kind: own.kind,
  description: own.description,
  start_url: own.startUrl,
  redirect_urls: own.redirectUrls.join(', '),
  signed_out_urls: own.signedOutUrls.join(', '),
  sign_out_url: own.signOutUrl,
  is_for_everyone: own.isForEveryone,
  roles: own.roles,
});

export const OUTSIDE = 'the person is no active member of the organization, or their role may not enter';

/** The host of a redirect address; null for a program on the person's own device. */
export function hostOf(redirectUrl: string): string | null {
  const { host, hostname } = new URL(redirectUrl);
  return ['localhost', '127.0.0.1', '[::1]'].includes(hostname) ? null : host;
}

function publisherOf(host: string | null | undefined) {
  if (host === undefined) return text.from({ owner: product.name });
  return host === null ? text.elsewhereOnDevice : text.elsewhere({ host });
}

type Named = {
  readonly name: string;
  readonly icon: string | null;
  readonly host?: string | null | undefined;
};
/** The words about an application. `host`: undefined for the suite's own, null for a program on the person's device. */
export const destinationOf = ({ name, icon, host }: Named): Destination => ({
  sentence: text.towards({ application: name }),
  publisher: publisherOf(host),
  letter: Array.from(name)[0]?.toUpperCase() ?? '',
  icon,
});
