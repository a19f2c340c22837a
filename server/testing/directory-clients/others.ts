import type { Client, Step } from './steps.ts';

// The requests of JumpCloud, OneLogin and authentik, as their documents and sources show them.

const USER = 'urn:ietf:params:scim:schemas:core:2.0:User';
const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group';
const list = (...Resources: object[]) => ({ totalResults: Resources.length, Resources });
const plain = (steps: readonly Step[]): Client => steps.map((step) => [{}, ...step]);
const work = (name: string) => [{ value: `${name}@{domain}`, type: 'work', primary: true }];

const kim = {
  schemas: [USER],
  userName: 'kim@{domain}',
  externalId: 'jc-1',
  active: true,
  name: { givenName: 'Kim', familyName: 'Akers' },
  displayName: 'Kim Akers',
  emails: work('kim'),
};
const more = {
  costCenter: '7',
  phoneNumbers: [{ type: 'mobile', value: '1' }],
  addresses: [],
  password: 'x',
};
/** JumpCloud sends one operation a field, and names the member that leaves. */
export const jumpCloud = plain([
  ['GET /ServiceProviderConfig', 200, { patch: { supported: true } }],
  ['GET /Users?filter=userName%20eq%20%22kim%40{domain}%22&startIndex=1&count=100', 200, list()],
  ['POST /Users', 201, kim, { ...kim, ...more }, 'kim'],
  ['GET /Users?filter=userName eq "kim@{domain}"', 200, list(kim)],
  [
    'PATCH /Users/{kim}',
    200,
    { name: { givenName: 'Kimberly', familyName: 'Berg' }, title: 'Buyer' },
    [
      { op: 'replace', path: 'name.givenName', value: 'Kimberly' },
      { op: 'replace', path: 'name.familyName', value: 'Berg' },
      { op: 'add', path: 'title', value: 'Buyer' },
      { op: 'replace', path: 'phoneNumbers[type eq "mobile"].value', value: '2' },
    ],
  ],
  [
    'POST /Groups',
    201,
    { displayName: 'Staff', members: [] },
    { schemas: [GROUP], displayName: 'Staff' },
    'staff',
  ],
  ['PATCH /Groups/{staff}', 204, {}, [{ op: 'add', path: 'members', value: [{ value: '{kim}' }] }]],
  ['GET /Groups?filter=displayName eq "Staff"', 200, list({ members: [{ value: '{kim}' }] })],
  ['PATCH /Groups/{staff}', 204, {}, [{ op: 'remove', path: 'members', value: [{ value: '{kim}' }] }]],
  ['GET /Groups/{staff}', 200, { members: [] }],
  ['PATCH /Users/{kim}', 200, { active: false }, [{ op: 'replace', path: 'active', value: false }]],
  ['PUT /Users/{kim}', 200, { active: true, name: kim.name }, kim],
  ['DELETE /Groups/{staff}', 204],
]);

const lee = { userName: 'lee@{domain}', name: { givenName: 'Lee', familyName: 'Gu' } };
/** OneLogin writes the addresses as one object, and users whole. */
export const oneLogin = plain([
  ['GET /Users?filter=userName eq "lee@{domain}"', 200, list()],
  [
    'POST /Users',
    201,
    { ...lee, emails: work('lee'), active: true },
    { schemas: [USER], ...lee, emails: { value: 'lee@{domain}', primary: true }, locale: 'en', active: true },
    'lee',
  ],
  ['PUT /Users/{lee}', 200, { title: 'Buyer' }, { schemas: [USER], ...lee, title: 'Buyer' }],
  ['PATCH /Users/{lee}', 200, { active: false }, [{ op: 'replace', value: { active: false } }]],
  ['GET /Users/{lee}', 200, { ...lee, active: false }],
  ['PUT /Users/{lee}', 200, { active: true }, { schemas: [USER], ...lee, active: true }],
  ['GET /Groups?filter=displayName eq "Leads"', 200, list()],
  [
    'POST /Groups',
    201,
    {},
    { schemas: [GROUP], displayName: 'Leads', members: [{ value: '{lee}' }] },
    'leads',
  ],
  [
    'PATCH /Groups/{leads}',
    204,
    {},
    [
      { op: 'remove', path: 'members[value eq "{lee}"]' },
      { op: 'add', path: 'members', value: [{ value: '{lee}', display: 'lee@{domain}' }] },
    ],
  ],
  ['GET /Groups/{leads}', 200, { members: [{ value: '{lee}' }] }],
  ['DELETE /Users/{lee}', 204],
  ['GET /Groups/{leads}', 200, { members: [] }],
]);

const ann = {
  schemas: [USER],
  userName: 'ann',
  externalId: 'ak-1',
  active: true,
  name: { formatted: 'Ann Lee', givenName: 'Ann', familyName: 'Lee' },
  displayName: 'Ann Lee',
};
const postAnn = {
  ...ann,
  emails: [{ value: 'ann@{domain}', type: 'other', primary: true }],
  photos: [{ value: 'https://auth.example/ann.png' }],
};
const readers = { schemas: [GROUP], externalId: 'ak-g', displayName: 'Readers' };
/** authentik writes one operation a member, and a path of null. */
export const authentik = plain([
  ['GET /ServiceProviderConfig', 200, { bulk: { supported: false } }],
  ['POST /Users', 201, { ...ann, emails: work('ann') }, postAnn, 'ann'],
  ['POST /Users', 409, { scimType: 'uniqueness' }, postAnn],
  ['GET /Users?filter=userName eq "ann"', 200, list(ann)],
  ['PUT /Users/{ann}', 200, { ...ann, id: '{ann}' }, { ...postAnn, id: '{ann}' }],
  ['POST /Groups', 201, readers, readers, 'readers'],
  [
    'PATCH /Groups/{readers}',
    204,
    {},
    [
      { op: 'replace', path: null, value: { ...readers, displayName: 'All readers', id: '{readers}' } },
      { op: 'add', path: 'members', value: [{ value: '{ann}' }] },
    ],
  ],
  ['GET /Groups/{readers}', 200, { displayName: 'All readers', members: [{ value: '{ann}' }] }],
  // A person whose own call was refused is known to the client, and not here.
  [
    'PATCH /Groups/{readers}',
    200,
    { refusedMembers: ['ak-unknown'] },
    [
      { op: 'add', path: 'members', value: [{ value: 'ak-unknown' }] },
      { op: 'remove', path: 'members', value: [{ value: '{ann}' }] },
    ],
  ],
  ['GET /Groups/{readers}', 200, { members: [] }],
  ['DELETE /Groups/{readers}', 204],
  ['DELETE /Users/{ann}', 204],
]);
