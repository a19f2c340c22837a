import * as z from 'zod/mini';
import {
  applicationName,
  employeeCount,
  firstName,
  generalText,
  lastName,
  newOrganizationName,
  optionalPhone,
  requiredText,
  website,
  language,
} from '#contract/split-by-bytes/area-fields.ts';
import { ICON_TYPE } from '#contract/split-by-bytes/area-limits.ts';
import { orgIdInQuery } from '#contract/split-by-bytes/area-wire.ts';
import { endpoint } from '#contract/endpoint.ts';
import { email, redirectUrl } from '#contract/fields.ts';
import { member, memberStatus } from '#contract/members/calls.ts';
import { country } from '#contract/profile/calls.ts';
import { role } from '#contract/roles/calls.ts';
import { SECOND_STEP_RULES } from './second-step-rule.ts';
import { areaFieldText } from '#words/rules/area-field.ts';
import { time } from '#contract/time.ts';
import { user } from '#contract/profile/user.ts';
import { as, flag, input, nothing, orgId, shape } from '#contract/wire.ts';

export const organization = shape({
  id: as('Id', orgId),
  name: as('OrgName', z.string()),
  type: as('Orgtype', z.string()),
  isDefault: as('isDefault', flag),
  urlName: as('OrgUrlName', z.string()),
  employeeCount: as('EmployeeCount', z.nullable(z.int())),
  description: as('Description', z.string()),
  website: as('WebSite', z.string()),
  applicationName: as('ApplicationName', z.string()),
  /** Of invitations. */
  language: as('Language', z.nullable(z.string())),
  darkIcon: as('AppIconDark', z.string()),
  lightIcon: as('AppIconLight', z.string()),
  role: z.string(),
});
export type Organization = z.output<typeof organization>;

export const iconType = z.literal(Object.values(ICON_TYPE));
export type IconType = z.output<typeof iconType>;

/** An organization that the person cannot open, because their membership is inactive or disabled. */
const closedOrganization = shape({
  id: as('Id', orgId),
  name: as('OrgName', z.string()),
  status: memberStatus,
  /** No admin can lift what a company directory has decided. */
  isByDirectory: as('by_directory', flag),
});
export type ClosedOrganization = z.output<typeof closedOrganization>;

/** An organization that asks for a second step which the person has not set up, or not given in this session. */
const awaitingOrganization = shape({
  id: as('Id', orgId),
  name: as('OrgName', z.string()),
  urlName: as('OrgUrlName', z.string()),
  rule: z.literal(SECOND_STEP_RULES),
  from: time,
  /** The rule holds now, so the person cannot enter. */
  isClosed: flag,
  /** The person has such a second step; the session only has to prove it. */
  isReady: flag,
});

/** An organization that this session may enter after a visit to the company's provider. */
const neededEntry = shape({
  id: as('Id', orgId),
  name: as('OrgName', z.string()),
  urlName: as('OrgUrlName', z.string()),
});

export const applicationSettings = shape({
  applicationName: z.string(),
  darkIcon: as('app_dark_icon', z.string()),
  lightIcon: as('app_light_icon', z.string()),
  iconName: z.string(),
  limits: shape({ members: z.int(), membersUsed: z.int() }),
});

export const organizations = {
  init: endpoint({
    method: 'GET',
    path: '/api/init',
    access: 'session',
    beforeProof: 'reduced',
    inDefaultOrganization: true,
    input: input({ orgId: z.optional(orgIdInQuery) }),
    output: shape({
      /** The person's value for `PERSON_HEADER`. */
      person: z.string(),
      current: as('default_organizations', z.nullable(organization)),
      others: as('other_organizations', z.array(organization)),
      /** Present only if no organization is open, so that the person learns why. */
      closed: as('closed_organizations', z.optional(z.array(closedOrganization))),
      /** Present only if an organization waits for the company's sign-in. */
      needsEntry: z.optional(z.array(neededEntry)),
      /** Present only if only a company has vouched for the person: how many more organizations the account's proof opens. */
      hiddenOrganizations: z.optional(z.int()),
      /** Present only if an organization waits for a second step. */
      awaiting: as('awaiting_second_step', z.optional(z.array(awaitingOrganization))),
      /** Present only in a session that a recovery code has proven: how many are left. */
      codesLeft: z.optional(z.int()),
      roles: as('Roles', z.array(role)),
      members: as('organizations_users', z.array(member)),
      user: as('user_information', user),
      /** Present only if the person has not agreed to the current version. */
      newTerms: z.optional(shape({ version: z.string(), terms: z.string(), privacy: z.string() })),
    }),
    failures: ['org_not_found', 'user_not_found'],
  }),
  list: endpoint({
    method: 'GET',
    path: '/api/orgs',
    access: 'session',
    beforeProof: 'reduced',
    output: z.array(organization),
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/orgs',
    access: 'session',
    input: input({
      firstName,
      lastName: z.optional(lastName),
      country: as('country_name', country),
      contactNumber: z.optional(optionalPhone),
      name: as('organaization_name', z.optional(newOrganizationName)),
      employeeCount: z.optional(employeeCount),
      email: as('email_id', z.optional(email)),
      redirectUrl: z.optional(redirectUrl),
    }),
    output: shape({
      id: as('Id', orgId),
      urlName: as('OrgUrlName', z.string()),
      code: z.optional(z.string()),
    }),
    failures: ['org_max_limit_reached', 'email_id_exist', 'too_many_requests'],
  }),
};

export const organizationSettings = {
  /** Changes the organization's information or its application's name. Fields left out stay. */
  update: endpoint({
    method: 'PUT',
    path: '/api/orgs',
    access: 'admin',
    input: input({
      orgId,
      // The strict rule applies only to a changed name, because onboarding allows digits and settings do not.
      name: z.optional(requiredText),
      description: z.optional(generalText),
      website: z.optional(website),
      employeeCount: z.optional(employeeCount),
      isDefault: as('is_default', z.optional(z.literal(1))),
      applicationName: z.optional(applicationName),
      /** For invitations; empty for none. */
      language: z.optional(z.union([language, z.literal('')], { error: areaFieldText.language })),
    }),
    output: organization,
    failures: ['org_not_found', 'no_changes'],
  }),
  leave: endpoint({
    method: 'POST',
    path: '/api/orgs/leave',
    access: 'session',
    beforeProof: 'named',
    input: input({ orgId }),
    output: nothing,
    failures: ['org_not_found', 'last_super_admin'],
  }),
  settings: endpoint({
    method: 'GET',
    path: '/api/settings',
    access: 'session',
    beforeProof: 'named',
    input: input({ orgId: orgIdInQuery }),
    output: shape({ current: as('default_organizations', organization) }),
    failures: ['org_not_found'],
  }),
  application: endpoint({
    method: 'GET',
    path: '/api/orgsetting',
    access: 'session',
    beforeProof: 'named',
    input: input({ orgId: orgIdInQuery }),
    output: applicationSettings,
    failures: ['org_not_found'],
  }),
};
