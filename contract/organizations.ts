import * as z from 'zod/mini';
import {
  employeeCount,
  firstName,
  lastName,
  newOrganizationName,
  optionalPhone,
} from '#contract/area-fields.ts';
import { endpoint } from '#contract/endpoint.ts';
import { email, redirectUrl } from '#contract/fields.ts';
import { member } from '#contract/members.ts';
import { country } from '#contract/profile.ts';
import { role } from '#contract/roles.ts';
import { user } from '#contract/user.ts';
import { as, flag, input, orgId, orgIdInQuery, shape } from '#contract/wire.ts';

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
  darkIcon: as('AppIconDark', z.string()),
  lightIcon: as('AppIconLight', z.string()),
  role: z.string(),
});
export type Organization = z.output<typeof organization>;

export const organizations = {
  init: endpoint({
    method: 'GET',
    path: '/api/init',
    access: 'session',
    inDefaultOrganization: true,
    input: input({ orgId: z.optional(orgIdInQuery) }),
    output: shape({
      current: as('default_organizations', z.nullable(organization)),
      others: as('other_organizations', z.array(organization)),
      roles: as('Roles', z.array(role)),
      members: as('organizations_users', z.array(member)),
      user: as('user_information', user),
    }),
    failures: ['org_not_found'],
  }),
  list: endpoint({
    method: 'GET',
    path: '/api/orgs',
    access: 'session',
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
    failures: ['org_max_limit_reached', 'email_id_exist'],
  }),
};
