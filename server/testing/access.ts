// Facts for the tables of the function that decides who may be where.
import { describe, expect, test } from 'vitest';
import type { Demand } from '#contract/access/demands.ts';
import type { Membership, Session } from '#contract/access/facts.ts';
import type { CompanyRule } from '#contract/company-sign-in/rule.ts';
import type { ProvenStep, SecondStepRule } from '#contract/organizations/second-step-rule.ts';
import type { OrgId } from '#contract/wire.ts';
import { type Asked, demands, type Facts, type Place, signedInBy } from '#server/access/rules.ts';

export const now = new Date('2027-03-01T10:00:00Z');
export const later = new Date('2027-03-01T10:00:01Z');
export const earlier = new Date('2027-03-01T09:59:59Z');
export const [here, there] = [7, 8] as [OrgId, OrgId];

export const membership = (more: Partial<Membership> = {}): Membership => ({
  orgId: here,
  organization: 'Northwind',
  urlName: 'northwind',
  isActive: true,
  isPaused: false,
  isSuperAdmin: false,
  stepRule: 'none',
  stepFrom: null,
  companyRule: 'nobody',
  companyFrom: null,
  isLinked: false,
  hasAddress: false,
  ...more,
});
export const asksStep = (stepRule: SecondStepRule, stepFrom = now) => membership({ stepRule, stepFrom });
export const asksCompany = (companyRule: CompanyRule, more: Partial<Membership> = {}) =>
  membership({ companyRule, companyFrom: now, ...more });

export const own = (secondStep: ProvenStep | null = null) => signedInBy(secondStep, now);
/** A session that began with a visit to the provider of these organizations. */
export const byCompany = (entered: OrgId[] = [here], more: Partial<Session> = {}): Session => ({
  ...own(),
  proven: 'company',
  entered,
  ...more,
});
export const inOrganization: Place = { at: 'organization', orgId: here };
export const atSignIn: Place = { at: 'sign-in', stepComes: false };
export const application = (ownedBy: OrgId | null, orgId: OrgId | null): Place => ({
  at: 'application',
  ownedBy,
  orgId,
});

export type Row = readonly [
  title: string,
  session: Session | null,
  memberships: Membership[],
  place: Place,
  expected: Demand[],
  more?: Partial<Facts> & { act?: Asked['act'] },
];
export const testDemands = (tables: Record<string, readonly Row[]>) =>
  describe.each(Object.entries(tables))('%s', (_, cases) => {
    test.for(cases)('%s', ([, session, memberships, place, expected, { act, ...more } = {}]) => {
      expect(demands({ session, memberships, ...more }, place, now, act)).toEqual(expected);
    });
  });
