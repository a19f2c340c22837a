import { describe, expect, test } from 'vitest';
import { SECOND_MS } from '#server/clock.ts';
import { confirmed, founder, PASSWORD, twoStepPerson, mailedCode } from '#server/testing/people.ts';
import { restrict } from '#server/testing/planted.ts';
import { updateRows } from '#server/testing/rows.ts';
import { roleIdOf } from '#server/testing/staff.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf, type Visitor } from '#server/testing/visitor.ts';

const SIGN = 'https://sign.example/app/doc?x=1';
const SECRET = 's'.repeat(24);
const app = useApp({
  SIGN_URL: 'https://sign.example/app',
  SEO_URL: 'https://seo.example',
  REDIRECT_SECRETS: `https://sign.example=${SECRET},https://seo.example=${'t'.repeat(24)}`,
});

const redirect = async (visitor: Visitor, redirect_url: string, more = {}) =>
  responseOf<{ url: string | null }>(await visitor.post('/api/redirect', { redirect_url, ...more })).url ??
  '';
const redeem = (code: string | null, redirect_url = SIGN, secret = SECRET) =>
  app.visitor().post('/api/redeem', { code, redirect_url, secret });
const codeIn = (url: string) => new URL(url).searchParams.get('code');

describe('POST /redirect', () => {
  test('adds a code to an application’s address and keeps its query and fragment', async () => {
    const { visitor } = await founder(app);
    const url = new URL(await redirect(visitor, `${SIGN}#/doc/7`));
    expect(url.origin + url.pathname + url.hash).toBe('https://sign.example/app/doc#/doc/7');
    expect([url.searchParams.get('x'), url.searchParams.get('code')]).toEqual([
      '1',
      expect.stringMatching(/^[\w-]{43}$/),
    ]);
  });

  test('replaces a code that the address already has (F2)', async () => {
    const { visitor } = await founder(app);
    const url = new URL(await redirect(visitor, 'https://sign.example/?code=mine'));
    expect(url.searchParams.getAll('code')).toHaveLength(1);
    expect(url.searchParams.get('code')).not.toBe('mine');
  });

  test('our own pages get no code', async () => {
    const { visitor } = await founder(app);
    expect(await redirect(visitor, `${app.url}/northwind`)).toBe(`${app.url}/northwind`);
  });

  test('an address that a follow-up returned is checked and gets no code', async () => {
    const { visitor } = await founder(app);
    const returned = `${SIGN}&returned=1#/doc/7`;
    expect(await redirect(visitor, returned, { with_code: 0 })).toBe(returned);
    const codes = app.deps.sql.selectFrom('redirect_codes').selectAll();
    expect(await codes.where('redirect_url', '=', returned).execute()).toEqual([]);
  });
});

describe('POST /redeem', () => {
  test('returns the person and their organization to the application', async () => {
    const { visitor, email, id, orgId, urlName } = await founder(app, 'Redeemed');
    const all = { create: 1, read: 1, update: 1, delete: 1 };
    expect(responseOf(await redeem(codeIn(await redirect(visitor, SIGN))))).toEqual({
      user: { id, email, full_name: 'Maya Lindqvist', confirmed: 1 },
      organization: {
        Id: orgId,
        OrgName: 'Redeemed',
        OrgUrlName: urlName,
        role: 'Super Admin',
        role_id: await roleIdOf(app, orgId, 'Super Admin'),
        role_permission: { sign: { 1: all, 2: all, 3: all, 4: all, 5: all } },
      },
    });
  });

  test('accepts a code from the sign-in itself, with and without the second step', async () => {
    const oneStep = await confirmed(app);
    const body = { password: PASSWORD, timezone: '', redirect_url: SIGN };
    const visitor = app.visitor();
    const first = responseOf<{ code: string }>(
      await visitor.post('/api/signin', { email_id: oneStep.email, ...body }),
    );
    expect(responseOf(await redeem(first.code))).toMatchObject({
      user: { id: oneStep.id },
      organization: null,
    });

    const twoStep = await twoStepPerson(app);
    const { contact } = responseOf<{ contact: string }>(
      await visitor.post('/api/signin', { email_id: twoStep.email, ...body }),
    );
    const otp = await mailedCode(app, twoStep.email);
    const second = responseOf<{ code: string }>(
      await visitor.post('/api/verifyotp', { contact, otp, timezone: '', redirect_url: SIGN }),
    );
    expect(responseOf(await redeem(second.code))).toMatchObject({ user: { id: twoStep.id } });
  });

  test('accepts a code from the creation of an organization, and returns that organization', async () => {
    const { visitor, orgId } = await founder(app);
    const details = { first_name: 'Maya', country_name: 'Sweden', organaization_name: 'Second' };
    const create = async (more: object) =>
      responseOf<{ Id: number; code?: string }>(await visitor.post('/api/orgs', { ...details, ...more }));
    const { Id, code = '' } = await create({ redirect_url: SIGN });
    expect(Id).not.toBe(orgId);
    expect(responseOf(await redeem(code))).toMatchObject({ organization: { Id, OrgName: 'Second' } });
    for (const redirect_url of ['https://evil.example/', app.url])
      expect(await create({ redirect_url })).not.toHaveProperty('code');
  });

  test('accepts a code for a minute (F2)', async () => {
    const { visitor } = await founder(app);
    const code = codeIn(await redirect(visitor, SIGN));
    app.clock.forward(60 * SECOND_MS);
    expect((await redeem(code)).code).toBe('digest_expired');
  });

  test.each([
    ['another address', 'https://sign.example/app/doc?x=2', SECRET, 'digest_invalid'],
    ['another application', 'https://seo.example/', 't'.repeat(24), 'digest_invalid'],
    ['a wrong secret', SIGN, 'x'.repeat(24), 'not_allowed'],
    ['an empty secret', SIGN, '', 'not_allowed'],
    ['an application without a secret', 'https://evil.example/', SECRET, 'not_allowed'],
  ])('refuses %s (F2)', async (_, address, secret, refusal) => {
    const { visitor } = await founder(app);
    const code = codeIn(await redirect(visitor, SIGN));
    expect((await redeem(code, address, secret)).code).toBe(refusal);
    responseOf(await redeem(code));
  });

  test('omits an organization that the person left meanwhile, and refuses a person restricted meanwhile', async () => {
    const person = await founder(app);
    const codes = [
      codeIn(await redirect(person.visitor, SIGN)),
      codeIn(await redirect(person.visitor, SIGN)),
    ];
    await updateRows(app, 'memberships', { user_id: person.id }, { status: 4 });
    expect(responseOf(await redeem(codes[0] ?? null))).toMatchObject({ organization: null });
    await restrict(app, person);
    expect((await redeem(codes[1] ?? null)).code).toBe('digest_invalid');
  });
});

describe('GET /next/{path}', () => {
  test.each([
    ['sign', (urlName: string) => `https://sign.example/app/#/${urlName}`],
    ['seo', () => 'https://seo.example/'],
    ['myapps', (urlName: string) => `/${urlName}/myapps`],
    ['myprofile', (urlName: string) => `/${urlName}/myprofile`],
  ])('%s leads to its page', async (path, expected) => {
    const { visitor, urlName } = await founder(app);
    expect(responseOf(await visitor.get(`/api/next/${path}`))).toEqual({ url: expected(urlName) });
  });
});
