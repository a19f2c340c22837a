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

const nameOf = ({ givenName, familyName }: ScimUser) =>
  filled({ formatted: `${givenName} ${familyName}`.trim(), givenName, familyName });
export const userOf = (user: ScimUser, base: string) => ({
  ...resource('User', user, base),
  userName: user.userName,
  active: isActive(user),
  ...filled({ displayName: user.displayName, title: user.title }),
  name: nameOf(user),
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

const attribute = (name: string, description: string, more: object = {}) => ({
  name,
  description,
  type: 'string',
  multiValued: false,
  required: false,
  caseExact: false,
  mutability: 'readWrite',
  returned: 'default',
  uniqueness: 'none',
  ...more,
});
const complex = (name: string, description: string, subAttributes: readonly object[], more: object = {}) =>
  attribute(name, description, { type: 'complex', subAttributes, ...more });
const several = { multiValued: true };
const unique = { required: true, uniqueness: 'server' };
const externalId = attribute('externalId', 'The id in the directory', { caseExact: true });

const nameParts = [
  attribute('formatted', 'The first and the last name', { mutability: 'readOnly' }),
  attribute('givenName', 'The first name'),
  attribute('familyName', 'The last name'),
];
const addressParts = [
  attribute('value', 'The address'),
  attribute('type', 'Always "work"'),
  attribute('primary', 'Always true', { type: 'boolean' }),
];
const memberParts = [
  attribute('value', 'The id of a user', { mutability: 'immutable' }),
  attribute('display', 'The name of the user'),
];
const attributes = {
  User: [
    attribute('userName', 'The name of the user in the directory', unique),
    externalId,
    complex('name', 'The name of the person', nameParts),
    attribute('displayName', 'The name of a person without first and last name'),
    attribute('title', 'The job title'),
    attribute('active', 'Whether the person has access', { type: 'boolean' }),
    complex('emails', 'The address of the account', addressParts, several),
  ],
  Group: [
    attribute('displayName', 'The name of the group', unique),
    externalId,
    complex('members', 'The users in the group', memberParts, several),
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
