import { expect } from 'vitest';
import type { Client, Step } from './steps.ts';

// Microsoft publishes these requests and answers of Entra ID in its SCIM tutorial and its page of known issues.

const CORE = 'urn:ietf:params:scim:schemas:core:2.0';
const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const AD_GROUP = 'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group';
const [id, text] = [expect.any(String), expect.any(String)];
const list = (...Resources: object[]) => ({ totalResults: Resources.length, startIndex: 1, Resources });
const metaOf = (resourceType: string) => ({ resourceType, created: text, lastModified: text });
const posted = (resourceType: string, ...schemas: string[]) => ({ schemas, meta: { resourceType } });

const nameOf = (givenName: string, familyName: string) => ({ familyName, givenName });
const formatted = (...name: [string, string]) => ({ ...nameOf(...name), formatted: name.join(' ') });
const emails = (value: string) => [{ value: `${value}@{domain}`, type: 'work', primary: true }];

const kim = { externalId: '0a21', userName: 'Test_User', active: true, emails: emails('Kim') };
const named = { ...kim, name: formatted('Kim', 'Akers') };
const postKim = { ...named, roles: [], ...posted('User', `${CORE}:User`, ENTERPRISE) };
const kimIs = { ...named, schemas: [`${CORE}:User`], id, meta: metaOf('User') };
const kimNow = { ...kimIs, emails: emails('new'), name: formatted('Kim', 'Berg') };
const kimLater = { ...kimNow, userName: '5b50@{domain}' };

const young = { externalId: 'jyoung', userName: 'jyoung@{domain}', active: true, displayName: 'Joy Young' };
const joy = { ...young, emails: emails('JYoung'), name: nameOf('Joy', 'Young') };
const nulls = { addresses: null, phoneNumbers: null, preferredLanguage: null, title: null, department: null };
const postJoy = { ...joy, ...nulls, manager: null, ...posted('User', `${CORE}:User`, `${ENTERPRISE}User`) };

const group = { externalId: '8aa1', displayName: 'Sales' };
const postGroup = { ...group, ...posted('Group', `${CORE}:Group`, AD_GROUP) };
const groupIs = { ...group, schemas: [`${CORE}:Group`], id, meta: metaOf('Group') };
const noMembers = () => expect.not.objectContaining({ members: expect.anything() });

const operation = (op: string) => (path: string, value?: unknown) => ({ op, path, value });
const [Add, Replace, Remove] = [operation('Add'), operation('Replace'), operation('Remove')];
const [add, replace, remove] = [operation('add'), operation('replace'), operation('remove')];
const WORK = 'emails[type eq "work"].value';
const names = { displayName: 'Pvlo', 'name.givenName': 'Gtfd', 'name.familyName': 'Pkqf' };
const several = { ...names, [`${ENTERPRISE}:employeeNumber`]: 'Eqpj' };
const replaceEach = Object.entries({ ...several, externalId: 'Eqpj' }).map(([path, value]) =>
  Replace(path, value),
);
const renamed = { displayName: 'Pvlo', name: nameOf('Gtfd', 'Pkqf') };
const manager = [{ $ref: 'http://portal.example/Users/{kim}', value: '{kim}' }];
const kimAsMember = { $ref: null, value: '{kim}' };

const single = { type: 'string', multiValued: false, caseExact: false };
const usual = { mutability: 'readWrite', returned: 'default' };
const attribute = (name: string) => expect.objectContaining({ name, description: text, ...single, ...usual });
const schema = (name: string, known: string) => ({
  schemas: [`${CORE}:Schema`],
  id: `${CORE}:${name}`,
  name,
  description: text,
  attributes: expect.arrayContaining([attribute(known)]),
  meta: { resourceType: 'Schema', location: expect.stringMatching(`/v2/Schemas/${CORE}:${name}$`) },
});

const steps: readonly Step[] = [
  // Test Connection, and users
  ['GET /Users?filter=userName eq "2441309d-8532-4e77-93ae-7fce0092d52e"', 200, list()],
  ['POST /Users', 201, kimIs, postKim, 'kim'],
  ['GET /Users/{kim}', 200, kimIs],
  ['GET /Users/5171a35d82074e068ce2', 404],
  ['GET /Users?filter=userName eq "Test_User"', 200, list(kimIs)],
  ['GET /Users?filter=userName eq "non-existent user"', 200, list()],
  ['PATCH /Users/{kim}', 200, kimNow, [Replace(WORK, 'new@{domain}'), Replace('name.familyName', 'Berg')]],
  [`GET /Users?filter=${WORK} eq "new@{domain}"`, 200, list(kimNow)],
  ['PATCH /Users/{kim}', 200, kimLater, [Replace('userName', '5b50@{domain}')]],
  ['PATCH /Users/{kim}', 200, { ...kimLater, active: false }, [Replace('active', false)]],
  ['GET /Users/{kim}', 200, { active: false }],
  ['PATCH /Users/{kim}', 200, kimLater, [Replace('active', true)]],
  ['GET /Users?filter=externalId eq jyoung', 200, list()],
  ['POST /Users', 201, joy, postJoy, 'joy'],
  ['GET /Users?filter=externalId eq jyoung', 200, list(joy)],
  ['GET /Users?filter=id eq "{joy}" and manager eq "{kim}"', 200, list()],
  ['PATCH /Users/{joy}', 200, joy, [Add('manager', manager)]],
  // Known issues, without the flag aadOptscim062020 and with it
  ['PATCH /Users/{kim}', 200, { active: false }, [Replace('active', 'False')]],
  ['PATCH /Users/{joy}', 200, { active: false }, [replace('active', false)]],
  ['PATCH /Users/{kim}', 200, { active: true }, [Replace('active', 'True')]],
  ['PATCH /Users/{joy}', 200, { active: true }, [replace('active', true)]],
  ['PATCH /Users/{kim}', 200, kimLater, [Add('nickName', 'Babs')]],
  ['PATCH /Users/{joy}', 200, joy, [add('nickName', 'Babs')]],
  [
    'PATCH /Users/{kim}',
    200,
    { ...renamed, externalId: 'Eqpj' },
    [...replaceEach, Replace(WORK, 'k@{domain}')],
  ],
  ['PATCH /Users/{joy}', 200, renamed, [replace(WORK, 'j@{domain}'), { op: 'replace', value: several }]],
  // Groups
  ['POST /Groups', 201, { ...groupIs, members: [] }, postGroup, 'group'],
  ['PATCH /Groups/{group}', 204, {}, [Add('members', [kimAsMember])]],
  ['GET /Groups/{group}', 200, { ...groupIs, members: [{ value: '{kim}' }] }],
  ['GET /Groups/{group}?excludedAttributes=members', 200, groupIs],
  ['GET /Groups/{group}?excludedAttributes=members', 200, noMembers()],
  ['GET /Groups?excludedAttributes=members&filter=displayName eq "Sales"', 200, list(groupIs)],
  ['GET /Groups?excludedAttributes=members&filter=displayName eq "Sales"', 200, list(noMembers())],
  ['GET /Groups?filter=id eq "{group}" and members eq "{kim}"', 200, list(groupIs)],
  ['PATCH /Groups/{group}', 204, {}, [Remove('members', [kimAsMember])]],
  ['GET /Groups?filter=id eq "{group}" and members eq "{kim}"', 200, list()],
  ['PATCH /Groups/{group}', 204, {}, [Replace('displayName', 'EU')]],
  ['PATCH /Groups/{group}', 204, {}, [Add('members', [kimAsMember, { value: '{joy}' }])]],
  ['PATCH /Groups/{group}', 204, {}, [Remove('members', [{ value: '{joy}' }])]],
  ['GET /Groups/{group}', 200, { displayName: 'EU', members: [{ value: '{kim}' }] }],
  ['PATCH /Groups/{group}', 204, {}, [remove('members[value eq "{kim}"]')]],
  ['GET /Groups/{group}', 200, { members: [] }],
  ['DELETE /Groups/{group}', 204],
  ['DELETE /Users/{kim}', 204],
  ['GET /Users/{kim}', 404],
  // Discovery
  ['GET /Schemas', 200, list(schema('User', 'userName'), schema('Group', 'displayName'))],
];
export const entra: Client = steps.map((step) => [{}, ...step]);
