import { fetchUserInfo, skipSubjectCheck } from 'openid-client';
import { describe, expect, test } from 'vitest';
import { discover, enter, registerApplication } from '#server/testing/applications.ts';
import { everyRow } from '#server/testing/every-row.ts';
import { confirmed, founder, PASSWORD } from '#server/testing/people.ts';
import { listRows } from '#server/testing/rows.ts';
import { join, newRole, organizationOf, roleIdOf, staff } from '#server/testing/staff.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf, type Visitor } from '#server/testing/visitor.ts';

const app = useApp({
  SIGN_URL: 'https://sign.example/app',
  ALLOWED_REDIRECTS: 'https://partner.example:8443',
  REDIRECT_SECRETS: `https://sign.example=${'s'.repeat(24)}`,
});

const countCodes = async () => (await app.deps.sql.selectFrom('redirect_codes').selectAll().execute()).length;

describe('an address that is not registered', () => {
  test.for([
    'https://sign.example.evil.example/',
    '/\\sign.example',
    'javascript:alert(1)//https://sign.example',
    '',
  ])('%j gets no code and leads nowhere (F1, F2)', async (redirect_url) => {
    const { visitor, email } = await confirmed(app);
    const before = await countCodes();
    const body = { email_id: email, password: PASSWORD, timezone: '', redirect_url };
    expect(responseOf(await app.visitor().post('/api/signin', body))).toEqual({ mfa_enabled: 0 });
    const { url } = responseOf<{ url: string | null }>(await visitor.post('/api/redirect', { redirect_url }));
    expect(url ?? '/').toBe('/');
    expect(await countCodes()).toBe(before);
  });

  test('a code is bound to the address exactly as requested, without its fragment (F2)', async () => {
    const { visitor } = await confirmed(app);
    for (const redirect_url of ['https://sign.example/app?x=1#y', 'HTTPS://partner.example:8443'])
      expect(responseOf(await visitor.post('/api/redirect', { redirect_url }))).toMatchObject({
        url: expect.stringMatching(/[?&]code=[\w-]{43}/) as string,
      });
    const rows = await listRows(app, 'redirect_codes', ['redirect_url']);
    expect(rows.map((row) => row.redirect_url)).toEqual([
      'https://sign.example/app?x=1',
      'HTTPS://partner.example:8443',
    ]);
  });
});

test.for(['\u0000', '\n', '\u007F', '\u0085'])('an address with %j redeems nothing', async (character) => {
  const redirect_url = `https://sign.example/${character}`;
  const answer = await app.visitor().post('/api/redeem', { code: 'x', redirect_url, secret: 's'.repeat(24) });
  expect([answer.status, answer.code]).toEqual([403, 'not_allowed']);
});

test('a follow-up changes nothing and calls no other host (F3)', async () => {
  const { visitor } = await founder(app);
  const before = await everyRow(app.deps.sql);
  for (const path of [
    'sign',
    'myapps',
    'nowhere',
    '..',
    'https:%2F%2Fevil.example',
    '%2e%2e%2fuser',
    'sign?base=9',
  ]) {
    const answer = await visitor.get(`/api/next/${path}`, { 'x-base': 'https://evil.example' });
    expect(JSON.stringify(answer.body)).not.toContain('evil');
    expect(answer.status).toBeLessThan(500);
  }
  expect(await everyRow(app.deps.sql)).toEqual(before);
});

// The organization that a code names, and the rights of the person there.
const SIGN = 'https://sign.example/app';
const SECRET = 's'.repeat(24);

type Organization = { Id: number; role: string; role_id: number; role_permission: object };
/** The organization that the application's server gets when the visitor goes on. */
async function redeem(visitor: Visitor, more = {}) {
  const redirect = await visitor.post('/api/redirect', { redirect_url: SIGN, ...more });
  const code = new URL(responseOf<{ url: string }>(redirect).url).searchParams.get('code');
  const answer = await app.visitor().post('/api/redeem', { code, redirect_url: SIGN, secret: SECRET });
  return responseOf<{ organization: Organization | null }>(answer).organization;
}

describe('the organization of a code', () => {
  test('is the default one, or the one requested by URL name or id', async () => {
    const person = await founder(app, 'First');
    const second = await organizationOf(person, 'Second');
    expect(await redeem(person.visitor)).toMatchObject({ Id: person.orgId });
    expect(await redeem(person.visitor, { org: second.urlName })).toMatchObject({
      Id: second.orgId,
    });
    expect(await redeem(person.visitor, { org: person.urlName })).toMatchObject({
      Id: person.orgId,
    });
    expect(await redeem(person.visitor, { org_id: second.orgId })).toMatchObject({
      Id: second.orgId,
    });
  });

  test('is never a foreign, a former or an unknown one', async () => {
    const [person, stranger] = [await founder(app), await founder(app)];
    const former = await founder(app);
    await join(app, person, former.orgId, await roleIdOf(app, former.orgId, 'Admin'), 4);
    for (const org of [stranger.urlName, former.urlName, 'nowhere', `c${person.orgId}`, `${person.orgId}`]) {
      const answer = await person.visitor.post('/api/redirect', { redirect_url: SIGN, org });
      expect([org, answer.status, answer.code]).toEqual([org, 404, 'org_not_found']);
    }
    expect(await listRows(app, 'redirect_codes', ['code_hash'], { user_id: person.id })).toEqual([]);
  });
});

describe('the rights of the person', () => {
  const none = { create: 0, read: 0, update: 0, delete: 0 };
  const inEveryModule = (rights: object) => ({
    sign: { 1: rights, 2: rights, 3: rights, 4: rights, 5: rights },
  });

  test('are those that an admin sets for their role, under any name', async () => {
    const { visitor, orgId } = await founder(app);
    const role_id = await newRole(visitor, orgId, 'Clerk');
    const member = await staff(app, orgId, role_id);
    const role_permission = inEveryModule(none);
    expect(await redeem(member.visitor)).toMatchObject({
      role: 'Clerk',
      role_id,
      role_permission,
    });

    const permission = { sign: { ...role_permission.sign, 2: { ...none, create: 1, read: 1 } } };
    responseOf(await visitor.put('/api/role', { org_id: orgId, role_id, permission }));
    responseOf(await visitor.put('/api/role', { org_id: orgId, role_id, role_name: 'Scribe' }));
    expect(await redeem(member.visitor)).toMatchObject({
      role: 'Scribe',
      role_id,
      role_permission: permission,
    });
    const read = await visitor.get(`/api/role?org_id=${orgId}&role_id=${role_id}&isPermission=1`);
    expect(responseOf(read)).toMatchObject({ role_permission: permission });
    const config = await discover(app, await registerApplication(app));
    const { access_token: token } = await enter(member.visitor, config);
    const claims = await fetchUserInfo(config, token, skipSubjectCheck);
    expect(claims).toMatchObject({ role: 'Scribe', role_id, permissions: permission });
  });
});
