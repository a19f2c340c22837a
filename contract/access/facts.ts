// The facts that decide who may be where. The server reads and judges them in `server/access`.
import type { CompanyRule } from '../company-sign-in/rule.ts';
import type { Proven, ProvenStep, SecondStepRule } from '../organizations/second-step-rule.ts';
import type { OrgId } from '../wire.ts';

/** The proofs of a session. */
export type Session = {
  readonly secondStep: ProvenStep | null;
  /** How far it has proven the account. A visit to a company's provider opens its organization only. */
  readonly proven: Proven;
  /** The last proof of the person; the epoch if a visit could not prove the account. */
  readonly authenticatedAt: Date;
  /** The organizations that it entered through their provider, and those where the provider said a second step. */
  readonly entered: readonly OrgId[];
  readonly enteredWithStep: readonly OrgId[];
};

export type Membership = {
  readonly orgId: OrgId;
  readonly organization: string;
  readonly urlName: string;
  readonly isActive: boolean;
  /** Inactive, because the person left the account for a while. */
  readonly isPaused: boolean;
  readonly isSuperAdmin: boolean;
  readonly stepRule: SecondStepRule;
  readonly stepFrom: Date | null;
  readonly companyRule: CompanyRule;
  readonly companyFrom: Date | null;
  /** An identity at the company's provider, and an address of one of its proven domains. False without a rule. */
  readonly isLinked: boolean;
  readonly hasAddress: boolean;
};
