import * as z from 'zod/mini';
import { orgIdInQuery } from '#contract/split-by-bytes/area-wire.ts';
import { endpoint } from '#contract/endpoint.ts';
import { time, timeText } from '#contract/time.ts';
import { as, input, orgId, roleId, shape } from '#contract/wire.ts';

export const directoryTokenId = z.int().check(z.minimum(1)).brand<'DirectoryTokenId'>();
export type DirectoryTokenId = z.output<typeof directoryTokenId>;

/** A call that was refused, with the names of its fields and no values: enough to report what a directory sends. */
const refusedCall = shape({
  time: timeText,
  call: z.string(),
  status: z.int(),
  reason: z.string(),
  fields: z.array(z.string()),
});
export type RefusedCall = z.output<typeof refusedCall>;

/** A token with which a company directory calls our SCIM endpoint. */
const directoryToken = shape({
  id: directoryTokenId,
  /** The role of people who are in no group with a role. Null: it was deleted, so the directory can add nobody. */
  roleId: z.nullable(roleId),
  createdTime: time,
  lastUsedTime: z.nullable(time),
  /** Newest first. */
  refused: z.array(refusedCall),
});

const groupId = z.uuid();
const directoryGroup = shape({ groupId, name: z.string(), roleId: z.nullable(roleId), members: z.int() });

const failures = ['org_not_found', 'super_admin_only', 'account_not_confirmed'] as const;
const ofRoles = ['role_not_found', 'not_allowed'] as const;

export const companyDirectory = {
  read: endpoint({
    method: 'GET',
    path: '/api/orgs/directory',
    access: 'admin',
    input: input({ orgId: orgIdInQuery }),
    output: shape({
      /** The address of the SCIM endpoint. */
      address: z.string(),
      tokens: z.array(directoryToken),
      groups: z.array(directoryGroup),
      people: z.int(),
    }),
    failures: ['org_not_found', 'super_admin_only'],
  }),
  addToken: endpoint({
    method: 'POST',
    path: '/api/orgs/directory',
    access: 'admin',
    recentProof: true,
    input: input({ orgId, roleId }),
    /** The token is in this answer only. */
    output: shape({ id: directoryTokenId, token: z.string() }),
    failures: [...failures, ...ofRoles, 'directory_token_limit_reached'],
  }),
  /** The directory can no longer call. People, groups and roles stay as they are. */
  removeToken: endpoint({
    method: 'DELETE',
    path: '/api/orgs/directory',
    access: 'admin',
    recentProof: true,
    input: input({ orgId, id: as('token_id', directoryTokenId) }),
    output: shape({ id: directoryTokenId }),
    failures: [...failures, 'not_found'],
  }),
  /** Without a role the group gives none. */
  setRole: endpoint({
    method: 'PUT',
    path: '/api/orgs/directory',
    access: 'admin',
    recentProof: true,
    input: input({ orgId, groupId, roleId: z.nullable(roleId) }),
    output: directoryGroup,
    failures: [...failures, ...ofRoles, 'not_found', 'no_changes'],
  }),
};
