import { fetchUserInfo, refreshTokenGrant, skipSubjectCheck, tokenIntrospection } from 'openid-client';
import { expect, test } from 'vitest';
import { api } from '#contract/api.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import type { OrgId } from '#contract/wire.ts';
import { MINUTE_MS } from '#server/clock.ts';
import { authorize, discover, enter, registerApplication } from '#server/testing/applications.ts';
import { companyWithProvider, guestOfCompany, visitCompany } from '#server/testing/company-provider.ts';
import { founder, PASSWORD } from '#server/testing/people.ts';
import { getRow, updateRows } from '#server/testing/rows.ts';
import { appCode, setUpApp } from '#server/testing/second-steps.ts';
import { join, newRole } from '#server/testing/staff.ts';
import { lastingSessions } from '#server/testing/start-app.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf, type Visitor } from '#server/testing/visitor.ts';

const needed = 'account_proof_required';
const whole = [
  'POST /api/terms',
  'DELETE /api/logout',
  'GET /api/mfa',
  'POST /api/reauthenticate',
  'GET /api/reauthenticate',
  'POST /api/reauthenticate/passkey',
  'POST /api/reauthenticate/code',
  'POST /api/redirect',
  'GET /api/next/:path',
  'POST /api/activesession',
  'GET /drive/profile',
  'POST /api/authorization',
  'GET /api/authorization/signout',
  'POST /api/authorization/signout',
  'POST /api/company/proof',
  'GET /api/company/link',
  'POST /api/company/link',
];
const reduced = [
  'GET /api/usersession',
  'GET /api/init',
  'GET /api/orgs',
  'GET /api/user',
  'GET /api/notifications',
  'PUT /api/notifications',
  'GET /api/applications/connected',
];
const named = [
  'POST /api/orgs/leave',
  'GET /api/settings',
  'GET /api/orgsetting',
  'GET /api/auditlogs',
  'GET /api/auditlogs/export',
  'GET /api/dataexport',
  'POST /api/dataexport',
  'GET /api/dataexport/file',
];
type Init = { user_information: Profile; hidden_organizations?: number };
type Profile = { contact_number: string; is_reduced?: number };
type Panel = { notifications: { kind: string }[] };
const SIGN = 'https://sign.example/app';
const SECRET = 's'.repeat(24);
const app = useApp({
  ...lastingSessions,
  SIGN_URL: SIGN,
  REDIRECT_SECRETS: `https://sign.example=${SECRET}`,
});

test('a company vouches for its own applications alone; anything else waits for the account’s own proof (U14)', async () => {
  const { company, ann, visitor } = await guestOfCompany(app);
  const isAsked = async (client: Parameters<typeof registerApplication>[1], more: Record<string, string>) => {
    const config = await discover(app, await registerApplication(app, client));
    const { location } = await authorize(visitor, config, more);
    const { searchParams } = new URL(location, app.url);
    return searchParams.get('error') ?? !searchParams.has('code');
  };
  const suite = async () => [
    await isAsked({}, { organization: company.urlName }),
    await isAsked({}, { organization: company.urlName, scope: 'openid email' }),
    await isAsked({}, { organization: ann.urlName }),
    await isAsked({}, { scope: 'openid email' }),
    await isAsked({ is_first_party: false }, { organization: company.urlName, prompt: 'none' }),
  ];
  expect(await suite()).toEqual([true, true, true, true, 'login_required']);
  const orgId = company.orgId as OrgId;
  const own = { org_id: orgId, is_first_party: false, is_for_everyone: true };
  expect(await isAsked(own, {})).toBe(false);
  expect(await isAsked({ members_of: orgId }, { scope: 'openid' })).toBe(false);
  expect(await isAsked({ members_of: ann.orgId as OrgId }, {})).toBe(true);
  const code = (org: object) => visitor.post('/api/redirect', { redirect_url: SIGN, ...org });
  for (const org of [{ org_id: company.orgId }, { org: ann.urlName }, { org: 'nobody-here' }])
    expect((await code(org)).code).toBe('account_proof_required');
  const hers = { org_id: ann.orgId as OrgId, is_first_party: false, is_for_everyone: true };
  const { location } = await authorize(
    visitor,
    await discover(app, await registerApplication(app, hers)),
    {},
  );
  const request = new URL(location, app.url).searchParams.get('request');
  expect(responseOf(await visitor.get(`/api/authorization?request=${request}`))).toMatchObject({
    step: 'confirm',
    application: { organization: null },
    organizations: [],
  });
  const rule = (name: 'everybody' | 'nobody', from: Date | null) =>
    updateRows(app, 'organizations', { id: ann.orgId }, { company_rule: name, company_rule_from: from });
  await rule('everybody', app.clock.now());
  expect(await isAsked({}, { organization: ann.urlName, prompt: 'none' })).toBe('login_required');
  await rule('nobody', null);
  responseOf(await visitor.post('/api/reauthenticate', { password: PASSWORD }));
  expect(await suite()).toEqual([false, false, false, false, 'consent_required']);
  responseOf(await code({ org_id: company.orgId }));
  await company.close();
});

test('codes and tokens that a company’s word opened end once the person belongs elsewhere, too (U14)', async () => {
  const company = await companyWithProvider(app);
  const visitor = app.visitor();
  const email = `kim@${company.domain}`;
  await visitCompany(app, company, visitor, { sub: 'kim', email });
  const { id } = await getRow(app, 'users', ['id'], { email });
  const enterBy = async (more: Parameters<typeof registerApplication>[1], scope = 'openid email') => {
    const config = await discover(app, await registerApplication(app, more));
    const tokens = await enter(visitor, config, { scope });
    const refresh = tokens.refresh_token ?? '';
    return {
      seen: () =>
        fetchUserInfo(config, tokens.access_token, skipSubjectCheck).then(
          () => true,
          () => false,
        ),
      active: async () => (await tokenIntrospection(config, tokens.access_token)).active,
      refreshed: () =>
        refreshTokenGrant(config, refresh).then(
          () => true,
          () => false,
        ),
    };
  };
  const all = async ({ seen, active, refreshed }: Awaited<ReturnType<typeof enterBy>>) => [
    await seen(),
    await active(),
    await refreshed(),
  ];
  const [suite, own] = [await enterBy({}), await enterBy({ members_of: company.orgId as OrgId })];
  const offline = await enterBy({}, 'openid email offline_access');
  const redirect = await visitor.post('/api/redirect', { redirect_url: SIGN });
  const code = new URL(responseOf<{ url: string }>(redirect).url).searchParams.get('code');
  const redeem = () => app.visitor().post('/api/redeem', { code, redirect_url: SIGN, secret: SECRET });
  expect([await suite.seen(), await suite.active(), await own.seen()]).toEqual([true, true, true]);
  const other = await founder(app);
  await join(app, { id }, other.orgId, await newRole(other.visitor, other.orgId, 'Guests'));
  expect(await all(suite)).toEqual([false, false, false]);
  expect(await all(offline)).toEqual([false, false, false]);
  expect([await own.seen(), await own.active()]).toEqual([true, true]);
  expect((await redeem()).code).toBe('digest_invalid');
  await company.close();
});

test('after a visit, two-step sign-in takes both halves of the account’s proof, in any order (U14)', async () => {
  const { company, ann, claims } = await guestOfCompany(app);
  const { secret } = await setUpApp(app, ann.visitor);
  const byApp = () => {
    app.clock.forward(MINUTE_MS);
    return { app_code: appCode(app, secret) };
  };
  const proofs = { password: { password: PASSWORD } };
  const visit = async () => {
    const visitor = app.visitor();
    await visitCompany(app, company, visitor, claims);
    return visitor;
  };
  const isClosed = async (visitor: Visitor) => [
    (await visitor.get(`/api/settings?org_id=${ann.orgId}`)).code,
    (await visitor.delete('/api/authenticator', {})).code,
  ];
  for (const order of [
    [proofs.password, byApp],
    [byApp, proofs.password],
  ] as const) {
    const visitor = await visit();
    const [one, two] = order.map((proof) => (typeof proof === 'function' ? proof() : proof));
    responseOf(await visitor.post('/api/reauthenticate', one));
    expect(await isClosed(visitor)).toEqual(['account_proof_required', 'account_proof_required']);
    responseOf(await visitor.post('/api/reauthenticate', two));
    expect((await visitor.get(`/api/settings?org_id=${ann.orgId}`)).code).toBeUndefined();
  }
  await company.close();
});

test('exactly the listed calls answer before the account’s proof, and tell only of the company (U14)', async () => {
  const { company, ann, visitor } = await guestOfCompany(app);
  responseOf(await ann.visitor.put('/api/user', { contact_number: '+46 70 123 45 67' }));
  const answered: Record<string, string[]> = {};
  const calls = Object.values(api).flatMap((feature): Endpoint[] => Object.values(feature));
  const unread: string[] = [];
  for (const { beforeProof, method, path } of calls.filter((call) => call.access === 'session')) {
    if (beforeProof) (answered[beforeProof] ??= []).push(`${method} ${path}`);
    else if (
      method === 'GET' &&
      (await visitor.get(path.endsWith('/link') ? `${path}?visit=any` : path)).code !== needed
    )
      unread.push(path);
  }
  expect(unread).toEqual([]);
  expect(answered).toEqual({ whole, reduced, named });
  const org_id = company.orgId;
  const details = { first_name: 'Ann', country_name: 'Sweden', organaization_name: 'Second' };
  const refused = [
    await visitor.post('/api/orgs', details),
    await visitor.put('/api/user', { org_id, first_name: 'Mallory' }),
    await visitor.delete('/drive/profile', { org_id }),
    await visitor.get('/api/auditlogs'),
    await visitor.post('/api/dataexport', {}),
    await visitor.post('/api/invitation', { id: 1, accept: 1 }),
  ];
  expect(refused.map(({ code }) => code)).toEqual(refused.map(() => needed));
  expect(responseOf<unknown[]>(await visitor.get('/api/usersession'))).toHaveLength(1);
  const profileOf = async (one: Visitor) => responseOf<Profile>(await one.get('/api/user'));
  expect(await profileOf(visitor)).toMatchObject({ contact_number: '', is_reduced: 1 });
  const own = await profileOf(ann.visitor);
  expect([own.contact_number, own.is_reduced]).toEqual([expect.stringContaining('70'), undefined]);
  // The number of other organizations shows, but no name of one, of no kind.
  const known = async (one: Visitor) => {
    const lists = [await one.get('/api/init'), await one.get('/api/orgs')].map((answer) =>
      responseOf(answer),
    );
    const [init, list] = lists as [Init, { OrgUrlName: string }[]];
    const text = JSON.stringify(lists);
    const names = [company.urlName, ann.urlName].map((name) => text.includes(`"${name}"`));
    return [init.hidden_organizations, list.length, ...names];
  };
  expect([await known(visitor), await known(ann.visitor)]).toEqual([
    [1, 1, true, false],
    [undefined, 2, true, true],
  ]);
  const byId = await visitor.get(`/api/init?org_id=${ann.orgId}`);
  expect(byId.code).toBe(needed);
  // The account's own rows, with the addresses of private devices, stay out of the person's log there.
  const ownRows = async (one: Visitor) =>
    JSON.stringify(responseOf(await one.get(`/api/auditlogs?org_id=${org_id}&scope=mine`))).includes(
      'contact_number',
    );
  expect([await ownRows(visitor), await ownRows(ann.visitor)]).toEqual([false, true]);
  const inits = await Promise.all([visitor, ann.visitor].map((one) => one.get('/api/init')));
  const phones = inits.map((init) => responseOf<Init>(init).user_information.contact_number);
  expect(phones).toEqual(['', expect.stringContaining('70')]);
  const kindsFor = async (one: Visitor) =>
    responseOf<Panel>(await one.get('/api/notifications')).notifications.map(({ kind }) => kind);
  const names = async (one: Visitor) =>
    responseOf<{ name: string }[]>(await one.get('/api/applications/connected')).map(({ name }) => name);
  await enter(ann.visitor, await discover(app, await registerApplication(app, {})), { scope: 'openid' });
  expect(await kindsFor(visitor)).toEqual([]);
  expect(await kindsFor(ann.visitor)).toContain('new_device');
  expect([await names(visitor), (await names(ann.visitor)).length]).toEqual([[], 1]);
  responseOf(await visitor.get(`/api/settings?org_id=${org_id}`));
  // A colleague who belongs nowhere else notices nothing.
  const kim = app.visitor();
  await visitCompany(app, company, kim, { sub: 'kim', email: `kim@${company.domain}` });
  for (const path of ['/api/waysin', '/api/invitations', '/api/auditlogs', '/api/emailnotify'])
    responseOf(await kim.get(path));
  await company.close();
});
