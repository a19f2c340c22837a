import * as z from 'zod/mini';
import { orgIdInQuery } from '#contract/split-by-bytes/area-wire.ts';
import { endpoint } from '#contract/endpoint.ts';
import { time } from '#contract/time.ts';
import { as, flag, input, orgId, roleId, shape } from '#contract/wire.ts';

export const connectionId = z.int().check(z.minimum(1)).brand<'ConnectionId'>();
export type ConnectionId = z.output<typeof connectionId>;
/** The id in an address, which strangers write. */
export const connectionIdIn = (text: string): ConnectionId | undefined =>
  /^[1-9]\d{0,14}$/.test(text) ? connectionId.parse(Number(text)) : undefined;

/** Providers differ in the claim that names a person, and in how they vouch for an address. */
export const PROVIDER_KINDS = ['entra', 'google', 'other'] as const;
export type ProviderKind = (typeof PROVIDER_KINDS)[number];

/** An organization's identity provider. A draft becomes the connection once a test has passed. */
const companyConnection = shape({
  id: connectionId,
  isOn: flag,
  /** Empty in a new draft, as is the client ID. */
  issuer: z.string(),
  clientId: z.string(),
  kind: z.literal(PROVIDER_KINDS),
  /** Our URLs, for the provider. It leads back to the first one, also after a sign-out. */
  redirectUrl: z.string(),
  logoutUrl: z.string(),
  hasSecret: flag,
  hasNextSecret: flag,
  /** When the provider's secret ends, if it does. */
  secretEnds: z.nullable(time),
  /** The Super Admin declares that the provider always asks for a second step. */
  declaresStep: flag,
  /** The role of new colleagues; without one, only members come in. */
  roleId: z.nullable(roleId),
  testedTime: z.nullable(time),
  createdTime: time,
  /** How many people are linked through it. */
  linked: z.int(),
});
export type CompanyConnection = z.output<typeof companyConnection>;

/** A Super Admin has to mend these at the provider or in the settings; the person reads only that it is so. */
export const PROVIDER_FAULTS = [
  'wrongSecretWay',
  'noDocument',
  'otherIssuer',
  'wrongKey',
  'wrongAlgorithm',
  'wrongClock',
  'tooLarge',
  'wrongAnswer',
] as const;
export type FaultOfProvider = (typeof PROVIDER_FAULTS)[number];
/** Why a visit to a company's provider failed, and how one ends well. */
export const VISIT_FAILURES = [
  'stale',
  'cancelled',
  'notLetIn',
  'refusedByProvider',
  'wrongSecret',
  'noAnswer',
  ...PROVIDER_FAULTS,
  'noSubject',
  'noAddress',
  'unverified',
  'guest',
  'otherCompany',
  'otherDomain',
  'noMember',
  'notInDirectory',
  'inactive',
  'inactiveInDirectory',
  'noSeat',
  'blocked',
  'linkedElsewhere',
  'otherPerson',
  'notFresh',
] as const;
export type VisitFailure = (typeof VISIT_FAILURES)[number];
export const VISIT_OUTCOMES = [
  'signedIn',
  'linked',
  'linkPending',
  'tested',
  'proven',
  ...VISIT_FAILURES,
] as const;
export type VisitOutcome = (typeof VISIT_OUTCOMES)[number];

const attempt = shape({
  /** The person read it, and tells it to a Super Admin. */
  reference: z.string(),
  time,
  isTest: flag,
  email: z.nullable(z.string()),
  outcome: z.literal(VISIT_OUTCOMES),
  /** The provider's own error, as text. */
  problem: z.string(),
  /** It stood in the address of the return, which anybody can write. */
  isSaidInAddress: as('said_in_address', flag),
  /** The claims of a test, as text. */
  claims: z.nullable(z.readonly(z.array(shape({ name: z.string(), value: z.string() })))),
});
export type VisitAttempt = z.output<typeof attempt>;

const id = as('connection_id', connectionId);
const setting = z.string().check(z.trim(), z.minLength(1), z.maxLength(500), z.regex(/^\P{Cc}*$/u));
const failures = [
  'org_not_found',
  'super_admin_only',
  'account_not_confirmed',
  'connection_not_found',
] as const;

export const companyConnections = {
  list: endpoint({
    method: 'GET',
    path: '/api/orgs/connections',
    access: 'admin',
    input: input({ orgId: orgIdInQuery }),
    output: z.array(companyConnection),
    failures: ['org_not_found', 'super_admin_only'],
  }),
  /** Makes an empty draft, whose redirect address the provider needs first. */
  add: endpoint({
    method: 'POST',
    path: '/api/orgs/connections',
    access: 'admin',
    recentProof: true,
    input: input({ orgId }),
    output: companyConnection,
    failures: [
      'org_not_found',
      'super_admin_only',
      'account_not_confirmed',
      'domain_not_found',
      'changed_meanwhile',
    ],
  }),
  /** Fields left out stay. Issuer and client ID change only where nobody is linked, and with their own secret. */
  change: endpoint({
    method: 'PUT',
    path: '/api/orgs/connections',
    access: 'admin',
    recentProof: true,
    input: input({
      orgId,
      id,
      issuer: z.optional(setting),
      clientId: z.optional(setting),
      secret: z.optional(setting),
      /** Tried when the provider refuses the secret. */
      nextSecret: z.optional(setting),
      secretEnds: z.optional(z.nullable(time)),
      declaresStep: z.optional(flag),
      roleId: z.optional(z.nullable(roleId)),
    }),
    output: companyConnection,
    failures: [...failures, 'role_not_found', 'not_allowed', 'no_changes'],
  }),
  /** Starts a visit that only shows what the provider answers. */
  test: endpoint({
    method: 'POST',
    path: '/api/orgs/connections/test',
    access: 'admin',
    recentProof: true,
    waitsElsewhere: true,
    input: input({ orgId, id }),
    output: shape({ authUrl: z.string() }),
    failures: [...failures, 'not_allowed', 'unavailable', 'too_many_requests'],
  }),
  /** Switches a tested draft on, in place of the connection before it; or the connection off. */
  switchOn: endpoint({
    method: 'PUT',
    path: '/api/orgs/connections/state',
    access: 'admin',
    recentProof: true,
    input: input({ orgId, id, isOn: flag }),
    output: companyConnection,
    failures: [...failures, 'not_allowed', 'no_changes'],
  }),
  /** `issuer` repeats the address, so that nobody removes another one by mistake. */
  remove: endpoint({
    method: 'DELETE',
    path: '/api/orgs/connections',
    access: 'admin',
    recentProof: true,
    input: input({ orgId, id, issuer: z.string() }),
    output: shape({ id: connectionId }),
    failures: [...failures, 'changed_meanwhile', 'not_allowed'],
  }),
  /** The newest 20 visits of each outcome, newest first; those whose outcome stood in the address apart. */
  attempts: endpoint({
    method: 'GET',
    path: '/api/orgs/connections/attempts',
    access: 'admin',
    input: input({ orgId: orgIdInQuery }),
    output: z.array(attempt),
    failures: ['org_not_found', 'super_admin_only'],
  }),
};
