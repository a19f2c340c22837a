import { expect } from 'vitest';
import type { Client } from './steps.ts';

// Okta publishes these requests in its suites "SCIM 2.0 SPEC Test" and "SCIM 2.0 CRUD Test", and in its reference.

const SCIM = 'application/scim+json';
const charset = { 'accept-charset': 'utf-8', 'content-type': `${SCIM}; charset=utf-8` };
const reading = { ...charset, accept: SCIM, 'user-agent': 'OKTA SCIM Integration' };
const stranger = { ...reading, authorization: 'non-token' };
const writing = { 'content-type': 'application/json', accept: `${SCIM}; charset=utf-8` };
const checking = { accept: SCIM };
const syncing = { 'user-agent': 'Okta SCIM Client 1.0.0' };

const text = expect.stringMatching(/./);
const someone = {
  id: text,
  name: { familyName: text, givenName: text },
  userName: text,
  active: expect.any(Boolean),
  emails: [{ value: text }],
};
const user = (name: string, givenName: string, familyName: string) => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
  userName: `${name}@{domain}`,
  name: { givenName, familyName },
  emails: [{ primary: true, value: `${name}@{domain}`, type: 'work' }],
  displayName: `${givenName} ${familyName}`,
  active: true,
});
const lee = user('lee', 'Lee', 'Gu');
const meta = { resourceType: 'User' };
const amy = { ...user('amy', 'Amy', 'Alberts'), externalId: '00u4', meta };
const postAmy = { ...amy, locale: 'en-US', groups: [], password: '1mz0' };
const ann = { ...user('amy', 'Ann', 'Alberts'), id: '{amy}', meta };
const putAnn = {
  ...ann,
  name: { ...ann.name, middleName: 'Excited' },
  emails: ann.emails.map((email) => ({ ...email, display: email.value })),
  groups: [],
};
const setActive = (active: boolean) => [{ op: 'replace', value: { active } }];

const members = (...names: string[]) =>
  names.map((name) => ({ value: `{${name}}`, display: `${name}@{domain}` }));
const group = (displayName: string, ...names: string[]) => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'],
  displayName,
  members: members(...names),
});
const groupIs = { id: text, meta: { resourceType: 'Group' } };
const rename = [{ op: 'replace', value: { id: '{group}', displayName: 'EU' } }];
const replaceAll = [{ op: 'replace', path: 'members', value: members('kim', 'amy') }];
const swap = [
  { op: 'remove', path: 'members[value eq "{kim}"]' },
  { op: 'remove', path: 'members[value eq "{amy}"]' },
  { op: 'add', path: 'members', value: members('lee') },
];
const page = (totalResults: number) => ({ totalResults, startIndex: 1, itemsPerPage: totalResults });

export const okta: Client = [
  // SPEC. The suite needs a user, so the first step adds one.
  [writing, 'POST /Users', 201, {}, user('kim', 'Kim', 'Akers'), 'kim'],
  [reading, 'GET /Users?count=1&startIndex=1', 200, { Resources: [someone] }],
  [reading, 'GET /Users/{kim}', 200, { ...someone, id: '{kim}' }],
  [reading, 'GET /Users?filter=userName eq "nobody@{domain}"', 200, { totalResults: 0 }],
  [reading, 'GET /Users/nobody', 404],
  [reading, 'GET /Users?filter=userName eq "lee@{domain}"', 200, { totalResults: 0 }],
  [writing, 'POST /Users', 201, { ...lee, id: text }, lee, 'lee'],
  [reading, 'GET /Users/{lee}', 200, { userName: lee.userName, name: lee.name }],
  [writing, 'POST /Users', 409, {}, lee],
  [reading, 'GET /Users?filter=userName eq "LEE@{domain}"', 200, { Resources: [{ id: '{lee}' }] }],
  [reading, 'GET /Groups', 200, { totalResults: 0, Resources: [] }],
  [stranger, 'GET /Users?filter=userName eq "LEE@{domain}"', 401],
  [reading, 'GET /Users/00919288221112222', 404],
  // CRUD, with the requests of the reference between its checks
  [syncing, 'GET /Users?filter=userName%20eq%20%22amy%40{domain}%22&startIndex=1&count=100', 200, page(0)],
  [syncing, 'POST /Users', 201, { ...amy, id: text }, postAmy, 'amy'],
  [checking, 'GET /Users?filter=userName eq "amy@{domain}"', 200, { Resources: [amy] }],
  [syncing, 'POST /Users', 409, {}, postAmy],
  [syncing, 'GET /Users?startIndex=1&count=100', 200, page(3)],
  [syncing, 'GET /Users/{amy}', 200, amy],
  [syncing, 'PUT /Users/{amy}', 200, ann, putAnn],
  [checking, 'GET /Users/{amy}', 200, { name: ann.name }],
  [syncing, 'PATCH /Users/{amy}', 200, { ...ann, active: false }, setActive(false)],
  [checking, 'GET /Users/{amy}', 200, { active: false }],
  [syncing, 'PUT /Users/{amy}', 200, ann, putAnn],
  [checking, 'GET /Users/{amy}', 200, { active: true }],
  [syncing, 'PUT /Users/{amy}', 200, { ...ann, active: false }, { ...putAnn, active: false }],
  [checking, 'GET /Users/{amy}', 200, { active: false }],
  [syncing, 'PATCH /Users/{amy}', 200, ann, setActive(true)],
  // Groups of the reference. The answer to a PATCH may be empty.
  [syncing, 'POST /Groups', 201, { ...group('Sales'), ...groupIs }, group('Sales'), 'group'],
  [syncing, 'GET /Groups?startIndex=1&count=100', 200, { ...page(1), Resources: [groupIs] }],
  [syncing, 'PATCH /Groups/{group}', 204, {}, rename],
  [syncing, 'PATCH /Groups/{group}', 204, {}, replaceAll],
  [syncing, 'PATCH /Groups/{group}', 204, {}, swap],
  [syncing, 'GET /Groups/{group}', 200, { ...group('EU', 'lee'), ...groupIs }],
  [syncing, 'PUT /Groups/{group}', 200, group('Asia', 'amy'), group('Asia', 'amy')],
  [{ ...syncing, ...charset }, 'DELETE /Groups/{group}', 204],
  [syncing, 'GET /Groups/{group}', 404],
  // Methods that the suite tries
  [reading, 'HEAD /Users', 200],
  [writing, 'POST /ServiceProviderConfig', 405, {}, {}],
  [writing, 'POST /Schemas', 405, {}, {}],
  [writing, 'POST /ResourceTypes', 405, {}, {}],
];
