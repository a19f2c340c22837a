import * as z from 'zod/mini';
import {
  APPLICATION_KINDS,
  applicationId,
  applicationTitle,
  optionalAddress,
  publicAddress,
  redirectAddresses,
  signedOutAddresses,
} from './registration.ts';
import { generalText } from '#contract/split-by-bytes/area-fields.ts';
import { orgIdInQuery } from '#contract/split-by-bytes/area-wire.ts';
import { endpoint } from '#contract/endpoint.ts';
import { time } from '#contract/time.ts';
import { as, flag, input, orgId, roleId, shape } from '#contract/wire.ts';

export const ownApplication = shape({
  id: applicationId,
  clientId: z.string(),
  name: z.string(),
  description: z.string(),
  /** The path of its picture. */
  icon: z.nullable(z.string()),
  kind: z.literal(APPLICATION_KINDS),
  startUrl: z.string(),
  redirectUrls: z.array(z.string()),
  signedOutUrls: z.array(z.string()),
  signOutUrl: z.string(),
  isForEveryone: flag,
  /** The roles that may use it, unless everyone may. */
  roleIds: z.array(roleId),
  hasSecret: flag,
  /** When the former secret ends; null if it has ended already. */
  formerSecretEnds: z.nullable(time),
  isPaused: flag,
  createdTime: time,
  lastUsedTime: z.nullable(time),
});
export type OwnApplication = z.output<typeof ownApplication>;

/** The secret is in this answer only, because the server keeps its hash. Null for kinds without one. */
const withSecret = shape({ entry: as('application', ownApplication), secret: z.nullable(z.string()) });

const id = as('application_id', applicationId);
/** Far above the roles of any organization. */
const roleIds = z.array(roleId).check(z.maxLength(1000));
const failures = [
  'org_not_found',
  'super_admin_only',
  'account_not_confirmed',
  'application_not_found',
] as const;

export const ownApplications = {
  listOwn: endpoint({
    method: 'GET',
    path: '/api/applications',
    access: 'admin',
    input: input({ orgId: orgIdInQuery }),
    output: z.array(ownApplication),
    failures: ['org_not_found', 'super_admin_only'],
  }),
  register: endpoint({
    method: 'POST',
    path: '/api/applications',
    access: 'admin',
    recentProof: true,
    input: input({
      orgId,
      kind: z.literal(APPLICATION_KINDS),
      name: applicationTitle,
      description: generalText,
      startUrl: optionalAddress,
      redirectUrls: redirectAddresses,
      signedOutUrls: signedOutAddresses,
      signOutUrl: publicAddress,
      isForEveryone: flag,
      roleIds,
    }),
    output: withSecret,
    failures: [
      'org_not_found',
      'super_admin_only',
      'account_not_confirmed',
      'application_limit_reached',
      'role_not_found',
    ],
  }),
  /** Omitted fields stay. The kind cannot change, because it decides how the application proves itself. */
  change: endpoint({
    method: 'PUT',
    path: '/api/applications',
    access: 'admin',
    recentProof: true,
    input: input({
      orgId,
      id,
      name: z.optional(applicationTitle),
      description: z.optional(generalText),
      startUrl: z.optional(optionalAddress),
      redirectUrls: z.optional(redirectAddresses),
      signedOutUrls: z.optional(signedOutAddresses),
      signOutUrl: z.optional(publicAddress),
      isForEveryone: z.optional(flag),
      roleIds: z.optional(roleIds),
      removesIcon: z.optional(flag),
    }),
    output: ownApplication,
    failures: [...failures, 'role_not_found', 'no_changes'],
  }),
  /** `title` repeats the application's name, so that nobody removes another one by mistake. */
  unregister: endpoint({
    method: 'DELETE',
    path: '/api/applications',
    access: 'admin',
    input: input({ orgId, id, title: as('name', z.string()) }),
    output: shape({ id: applicationId }),
    failures: [...failures, 'changed_meanwhile'],
  }),
  rotateSecret: endpoint({
    method: 'POST',
    path: '/api/applications/secret',
    access: 'admin',
    recentProof: true,
    input: input({ orgId, id }),
    output: withSecret,
    failures: [...failures],
  }),
  pause: endpoint({
    method: 'PUT',
    path: '/api/applications/state',
    access: 'admin',
    input: input({ orgId, id, isPaused: flag }),
    output: ownApplication,
    failures: [...failures, 'no_changes'],
  }),
};
