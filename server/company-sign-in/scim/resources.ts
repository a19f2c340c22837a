import { listTexts } from './data-attributes.ts';
import type { ScimGroup, ScimUser } from './data.ts';
import { isActive } from './users.ts';

// Answers in the shapes of RFC 7643.

const CORE = 'urn:ietf:params:scim:schemas:core:2.0';
const MESSAGES = 'urn:ietf:params:scim:api:messages:2.0';
export const PAGE_MAX = 200;

const KINDS = ['User', 'Group'] as const;
type Kind = (typeof KINDS)[number];
const metaOf = (resourceType: string, location: string) => ({ resourceType, location });
/** Without empty values, which stand for those that the directory never sent. */
const filledFields = (fields: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== '' && value !== undefined));

const resource = (
  kind: Kind,
  { id, externalId, createdAt, changedAt }: Pick<ScimUser, 'id' | 'externalId' | 'createdAt' | 'changedAt'>,
  base: string,
) => ({
  schemas: [`${CORE}:${kind}`],
  id,
  ...filledFields({ externalId }),
  meta: { ...metaOf(kind, `${base}/${kind}s/${id}`), created: createdAt, lastModified: changedAt },
});

/** Texts at their paths, of which some are parts of one attribute. */
function textsOf(user: ScimUser) {
  const texts: Record<string, unknown> = { name: {} };
  for (const [field, { path }] of listTexts()) {
    const [name = '', part] = path.split('.');
    const into = part === undefined ? texts : (texts[name] as Record<string, unknown>);
    into[part ?? name] = user[field];
  }
  return texts;
}

type Named = { readonly id: string; readonly name: string };
/** References to resources, as groups name their members and users their groups. */
const references = (kind: Kind, list: readonly Named[], base: string) =>
  list.map(({ id, name }) => ({ value: id, display: name, $ref: `${base}/${kind}s/${id}` }));

export const userOf = (user: ScimUser, groups: readonly Named[] | undefined, base: string) => {
  const { name, ...texts } = textsOf(user);
  const formatted = `${user.givenName} ${user.familyName}`.trim() || user.formattedName;
  return {
    ...resource('User', user, base),
    ...filledFields(texts),
    active: isActive(user),
    name: filledFields({ ...(name as object), formatted }),
    emails: user.email === '' ? [] : [{ value: user.email, type: 'work', primary: true }],
    ...(groups && { groups: references('Group', groups, base) }),
  };
};

export const groupOf = (group: ScimGroup, members: readonly Named[] | undefined, base: string) => ({
  ...resource('Group', group, base),
  displayName: group.displayName,
  ...(members && { members: references('User', members, base) }),
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

const texts = (within?: string) =>
  listTexts().flatMap(([, { path, about, schema }]) => {
    const [first = '', part] = path.split('.');
    const isHere = within === undefined ? part === undefined : first === within;
    return isHere ? [attribute(part ?? first, about, schema)] : [];
  });
const addressParts = [
  attribute('value', 'The address'),
  attribute('type', 'Always "work"', { canonicalValues: ['work'] }),
  attribute('primary', 'Always true', { type: 'boolean' }),
];
const referenceParts = (kind: Kind, more: object) => [
  attribute('value', `The id of a ${kind.toLowerCase()}`, more),
  attribute('display', `The name of the ${kind.toLowerCase()}`, { mutability: 'readOnly' }),
  attribute('$ref', `The address of the ${kind.toLowerCase()}`, {
    ...more,
    type: 'reference',
    referenceTypes: [kind],
    caseExact: true,
  }),
];
const derivedTraits = { mutability: 'readOnly', returned: 'request' };
const attributes = {
  User: [
    ...texts(),
    complex('name', 'The name of the person', texts('name')),
    attribute('active', 'Whether the person has access', { type: 'boolean' }),
    complex('emails', 'The address of the account', addressParts, several),
    complex('groups', 'The groups of the user', referenceParts('Group', derivedTraits), {
      ...several,
      ...derivedTraits,
    }),
  ],
  Group: [
    attribute('displayName', 'The name of the group', unique),
    attribute('externalId', 'The id in the directory', { caseExact: true }),
    complex(
      'members',
      'The users in the group',
      referenceParts('User', { mutability: 'immutable' }),
      several,
    ),
    attribute('refusedMembers', 'The members of a call that are no users, in its answer', {
      ...several,
      ...derivedTraits,
      returned: 'default',
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
