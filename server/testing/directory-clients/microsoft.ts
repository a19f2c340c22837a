import { expect } from 'vitest';
import type { Client, Step } from './steps.ts';

// Microsoft publishes these requests as a Postman collection beside its reference code. Its people share an address,
// which one user here has alone, so each has one of their own. Its newcomer has the address of a leaver.

const USER = 'urn:ietf:params:scim:schemas:core:2.0:User';
const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group';
const list = (...Resources: object[]) => ({ totalResults: Resources.length, Resources });
const only = (keys: string) => expect.toSatisfy((one: object) => Object.keys(one).toSorted().join() === keys);

const withoutEmails = () => expect.not.objectContaining({ emails: expect.anything() });
const another = (id: string) => expect.not.stringMatching(id);

const bob = {
  userName: 'UserName123',
  active: true,
  displayName: 'BobIsAmazing',
  schemas: [USER],
  externalId: 'guid-1',
  name: { formatted: 'Ryan Leenay', familyName: 'Leenay', givenName: 'Ryan' },
  emails: [
    { Primary: true, type: 'work', value: 'testing@{domain}' },
    { Primary: false, type: 'home', value: 'testinghome@bob.example' },
  ],
};
const work = (value: string) => [{ value, type: 'work', primary: true }];
const bobIs = { ...bob, emails: work('testing@{domain}') };
const andrew = {
  ...bob,
  userName: 'UserName222',
  externalId: 'guid-2',
  schemas: [ENTERPRISE, USER],
  emails: [{ Primary: true, type: 'work', value: 'andrew@{domain}' }],
  [ENTERPRISE]: { Department: 'bob', Manager: { Value: 'SuzzyQ' } },
};
const omalley = {
  UserName: 'OMalley',
  Active: true,
  DisplayName: 'OMalley',
  schemas: [USER],
  externalId: 'guid-3',
  emails: [{ Primary: true, type: 'work', value: 'omalley@{domain}' }],
};
const members = (...names: string[]) => names.map((value) => ({ value }));
const group = { displayName: 'Group1DisplayName', externalId: 'group-1', schemas: [GROUP] };

const steps: readonly Step[] = [
  // Endpoints
  ['GET /users', 200, list()],
  ['GET /Groups', 200, list()],
  ['GET /ResourceTypes', 200, { Resources: [{ endpoint: '/Users' }, { endpoint: '/Groups' }] }],
  ['GET /ServiceProviderConfig', 200, { patch: { supported: true } }],
  ['GET /Schemas', 200, { totalResults: 2 }],
  // Users
  ['POST /Users', 201, bobIs, bob, 'bob'],
  ['POST /Users', 201, { userName: 'UserName222' }, andrew, 'andrew'],
  ['GET /Users/{bob}', 200, { id: '{bob}' }],
  [
    'GET /Users?attributes=userName,emails',
    200,
    { Resources: [only('emails,id,schemas,userName'), only('emails,id,schemas,userName')] },
  ],
  ['GET /Users?excludedAttributes=emails,name', 200, { Resources: [withoutEmails(), withoutEmails()] }],
  ['GET /Users/?filter=DisplayName+eq+%22BobIsAmazing%22', 200, { totalResults: 2 }],
  ['GET /Users?filter=userName eq "UserName222" and active eq true', 200, list({ id: '{andrew}' })],
  ['GET /Users?filter=meta.lastModified gt "2011-05-13T04:42:34Z"', 200, { totalResults: 2 }],
  ['POST /Users', 400, { scimType: 'invalidValue' }, { active: true, schemas: [USER] }],
  ['POST /Users', 201, { userName: 'OMalley', active: true }, omalley, 'omalley'],
  [
    'PATCH /Users/{omalley}',
    200,
    { userName: 'newusername' },
    [{ op: 'Replace', path: 'userName', value: 'newusername' }],
  ],
  ['PUT /Users/{omalley}', 400, { scimType: 'invalidValue' }, { ...omalley, UserName: undefined }],
  [
    'PUT /Users/{omalley}',
    200,
    { userName: 'OMalley', displayName: 'Reilly' },
    { ...omalley, DisplayName: 'Reilly' },
  ],
  ['PATCH /Users/{omalley}', 200, { active: false }, [{ op: 'replace', path: 'Active', value: false }]],
  [
    'POST /Users',
    201,
    { userName: 'emp3', id: another('{omalley}') },
    { ...omalley, UserName: 'emp3', externalId: 'guid-4' },
    'emp3',
  ],
  ['GET /Users/{omalley}', 404],
  // Groups
  ['POST /Groups', 201, group, group, 'group'],
  ['GET /Groups?filter=displayName eq "Group1DisplayName"', 200, list({ id: '{group}' })],
  ['PATCH /Groups/{group}', 204, {}, [{ op: 'add', path: 'members', value: members('{bob}', '{andrew}') }]],
  [
    'PATCH /Groups/{group}',
    200,
    { refusedMembers: ['junk'] },
    [{ op: 'add', path: 'members', value: members('junk') }],
  ],
  [
    'PATCH /Groups/{group}',
    204,
    {},
    [{ op: 'remove', path: 'members[value eq "{bob}" and type eq "User"]' }],
  ],
  ['GET /Groups?attributes=displayName', 200, { Resources: [only('displayName,id,schemas')] }],
  ['GET /Groups/{group}', 200, { members: members('{andrew}') }],
  ['PATCH /Groups/{group}', 204, {}, [{ op: 'remove', path: 'members' }]],
  [
    'PUT /Groups/{group}',
    200,
    { displayName: 'Put', members: members('{emp3}') },
    { ...group, displayName: 'Put', members: members('{emp3}') },
  ],
  ['PUT /Groups/{group}', 400, {}, { externalId: 'group-1' }],
  ['DELETE /Groups/{group}', 204],
  ['DELETE /Users/{bob}', 204],
  ['DELETE /Users/{bob}', 404],
];
export const microsoft: Client = steps.map((step) => [{ 'content-type': 'application/json' }, ...step]);
