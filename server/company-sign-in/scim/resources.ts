import type { ScimGroup, ScimUser } from '#server/company-sign-in/scim/data.ts';
import { isActive } from '#server/company-sign-in/scim/users.ts';

// Answers in the shapes of RFC 7643.

const CORE = 'urn:ietf:params:scim:schemas:core:2.0';
const MESSAGES = 'urn:ietf:params:scim:api:messages:2.0';
export const PAGE_MAX = 200;

const KINDS = ['User', 'Group'] as const;
type Kind = (typeof KINDS)[number];
const metaOf = (resourceType: string, location: string) => ({ resourceType, location });
/** Without empty values, which stand for those that the directory never sent. */
const filled = (fields: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== '' && value !== undefined));

const resource = (
  kind: Kind,
  { id, externalId, createdAt, changedAt }: Pick<ScimUser, 'id' | 'externalId' | 'createdAt' | 'changedAt'>,
  base: string,
) => ({
  schemas: [`${CORE}:${kind}`],
  id,
  ...filled({ externalId }),
  meta: { ...metaOf(kind, `${base}/${kind}s/${id}`), created: createdAt, lastModified: changedAt },
});

export const userOf = (user: ScimUser, base: string) => ({
  ...resource('User', user, base),
  userName: user.userName,
  active: isActive(user),
  ...filled({ displayName: user.displayName, title: user.title }),
  name: filled({ givenName: user.givenName, familyName: user.familyName }),
  emails: user.email === '' ? [] : [{ value: user.email, type: 'work', primary: true }],
});

type Members = readonly { readonly id: string; readonly userName: string }[];
export const groupOf = (group: ScimGroup, members: Members | undefined, base: string) => ({
  ...resource('Group', group, base),
  displayName: group.displayName,
  ...(members && {
    members: members.map(({ id, userName }) => ({
      value: id,
      display: userName,
      $ref: `${base}/Users/${id}`,
    })),
  }),
});

export const listOf = (resources: readonly unknown[], totalResults = resources.length, startIndex = 1) => ({
  schemas: [`${MESSAGES}:ListResponse`],
  totalResults,
  startIndex,
  itemsPerPage: resources.length,
  Resources: resources,
});

export const errorOf = (status: number, detail: string, scimType?: string) => ({
  schemas: [`${MESSAGES}:Error`],
  // A text (RFC 7644, 3.12).
  status: String(status),
  ...(scimType !== undefined && { scimType }),
  detail,
});

export const providerConfig = (base: string) => ({
  schemas: [`${CORE}:ServiceProviderConfig`],
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: PAGE_MAX },
  changePassword: { supported: false },
  sort: { supported: false },
  etag: { supported: false },
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'Bearer token',
      description: 'A token of the organization',
      primary: true,
    },
  ],
  meta: metaOf('ServiceProviderConfig', `${base}/ServiceProviderConfig`),
});

export const resourceTypes = (base: string) =>
  KINDS.map((kind) => ({
    schemas: [`${CORE}:ResourceType`],
    id: kind,
    name: kind,
    endpoint: `/${kind}s`,
    schema: `${CORE}:${kind}`,
    meta: metaOf('ResourceType', `${base}/ResourceTypes/${kind}`),
  }));

const attribute = (name: string, more: object = {}) => ({
  name,
  type: 'string',
  multiValued: false,
  required: false,
  caseExact: false,
  mutability: 'readWrite',
  returned: 'default',
  uniqueness: 'none',
  ...more,
});
const complex = (name: string, subAttributes: readonly object[], more: object = {}) =>
  attribute(name, { type: 'complex', subAttributes, ...more });

const attributes = {
  User: [
    attribute('userName', { required: true, uniqueness: 'server' }),
    attribute('externalId', { caseExact: true }),
    complex('name', [attribute('givenName'), attribute('familyName')]),
    attribute('displayName'),
    attribute('title'),
    attribute('active', { type: 'boolean' }),
    complex('emails', [attribute('value'), attribute('type'), attribute('primary', { type: 'boolean' })], {
      multiValued: true,
    }),
  ],
  Group: [
    attribute('displayName', { required: true, uniqueness: 'server' }),
    attribute('externalId', { caseExact: true }),
    complex('members', [attribute('value', { mutability: 'immutable' }), attribute('display')], {
      multiValued: true,
    }),
  ],
};
export const schemas = (base: string) =>
  KINDS.map((kind) => ({
    schemas: [`${CORE}:Schema`],
    id: `${CORE}:${kind}`,
    name: kind,
    description: kind,
    attributes: attributes[kind],
    meta: metaOf('Schema', `${base}/Schemas/${CORE}:${kind}`),
  }));
