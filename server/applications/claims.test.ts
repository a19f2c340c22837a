import { decodeJwt } from 'jose';
import * as client from 'openid-client';
import { expect, test } from 'vitest';
import { MEMBER_STATUS } from '#contract/members/calls.ts';
import { accessText } from '#words/access.ts';
import { eraseDueAccounts } from '#server/accounts/deletion/jobs.ts';
import { type CLAIMS, type Told } from './claims.ts';
import { inEnglish } from '#server/language.ts';
import {
  ask,
  discover,
  enter,
  redeem,
  registerApplication,
  setting,
  VERIFIER,
} from '#server/testing/applications.ts';
import { tinyPng } from '#server/testing/icons.ts';
import { company } from '#server/testing/company.ts';
import {
  confirmed,
  deactivate,
  mailedCode,
  PASSWORD,
  signedUp,
  signIn,
  twoStepPerson,
} from '#server/testing/people.ts';
import { updateRows } from '#server/testing/rows.ts';
import { appCode, setUpApp } from '#server/testing/second-steps.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf, type Visitor } from '#server/testing/visitor.ts';

const app = useApp({ RATE_LIMIT_FACTOR: '100' });

const visit = async (visitor: Visitor, scope: string) => {
  const config = await discover(app, await registerApplication(app));
  return { config, tokens: await enter(visitor, config, { scope }) };
};
const infoFor = async (visitor: Visitor, scope: string) => {
  const { config, tokens } = await visit(visitor, scope);
  return client.fetchUserInfo(config, tokens.access_token, client.skipSubjectCheck);
};

const member = async () => {
  const org = await company(app);
  const person = await org.join('sales', { isDefault: true });
  const profile = {
    last_name: 'Berg',
    time_zone: 'Europe/Stockholm',
    language: 'pt-BR',
    phone_e164: '+46701234567',
  };
  await updateRows(app, 'users', { id: person.id }, profile);
  return { ...person, org };
};

test.for<[string, string[]]>([
  ['openid', ['sub']],
  ['openid profile', ['family_name', 'given_name', 'locale', 'name', 'sub', 'zoneinfo']],
  ['openid email', ['email', 'email_verified', 'sub']],
  ['openid phone', ['phone_number', 'phone_number_verified', 'sub']],
  [
    'openid organization',
    ['org_admin', 'org_id', 'org_name', 'org_url_name', 'permissions', 'role', 'role_id', 'sub'],
  ],
])('the scopes %s tell exactly %j', async ([scope, names]) => {
  const { visitor } = await member();
  expect(Object.keys(await infoFor(visitor, scope)).toSorted()).toEqual(names);
});

/** The word of the consent page that stands for each claim. A new claim does not compile without. */
const words = {
  profile: {
    name: 'name',
    given_name: 'name',
    family_name: 'name',
    picture: 'picture',
    zoneinfo: 'time zone',
    locale: 'language',
  },
  email: { email: 'email address', email_verified: 'email address' },
  phone: { phone_number: 'phone number', phone_number_verified: 'phone number' },
  organization: {
    org_id: 'organization',
    org_name: 'organization',
    org_url_name: 'organization',
    role: 'role',
    role_id: 'role',
    org_admin: 'role',
    permissions: 'role',
  },
} satisfies { [S in Told]: Record<(typeof CLAIMS)[S][number], string> };

test.each(Object.entries(words))('people who agree to %s read each part of it', (scope, told) =>
  inEnglish(() =>
    expect(accessText[scope as Told].split(/, | and /)).toEqual([...new Set(Object.values(told))]),
  ),
);

test('a role is read at each use, and nothing is told after the membership (P6)', async () => {
  const { visitor, id, org } = await member();
  const { config, tokens } = await visit(visitor, 'openid organization');
  const learned = () => client.fetchUserInfo(config, tokens.access_token, client.skipSubjectCheck);
  expect(await learned()).toMatchObject({ role: 'Sales' });
  const membership = app.deps.sql.updateTable('memberships').where('user_id', '=', id);
  await membership.set({ role_id: org.roles.lead }).execute();
  expect(await learned()).toMatchObject({ role: 'Lead' });
  const { id_token: token = '' } = await client.refreshTokenGrant(config, tokens.refresh_token ?? '');
  expect(decodeJwt(token)).not.toHaveProperty('role');
  await membership.set({ status: MEMBER_STATUS.inactive }).execute();
  await expect(learned()).rejects.toMatchObject({ status: 401 });
});

test('a subject is never used again, not even for the same address after an erasure', async () => {
  const config = await discover(app, await registerApplication(app));
  const subjectOf = async ({ visitor }: { visitor: Visitor }) =>
    (await enter(visitor, config, { scope: 'openid' })).claims()?.sub;
  const first = await signedUp(app);
  const subject = await subjectOf(first);
  const erasedAt = await deactivate(app, first);
  app.clock.forward(erasedAt.getTime() - app.clock.now().getTime());
  await eraseDueAccounts(app.deps);
  expect(await subjectOf(await signedUp(app, first.email))).not.toBe(subject);
});

test('an address counts as verified only after its proof; without an address there is no claim', async () => {
  expect(await infoFor((await confirmed(app)).visitor, 'openid email')).toMatchObject({
    email_verified: true,
  });
  const { visitor, id } = await signedUp(app);
  expect(await infoFor(visitor, 'openid email')).toMatchObject({ email_verified: false });
  await updateRows(app, 'users', { id }, { email: null });
  expect(Object.keys(await infoFor(visitor, 'openid email'))).toEqual(['sub']);
});

test('the picture link works in any browser for an hour, and for that picture only', async () => {
  const person = await member();
  await person.org.picture(person);
  const { picture = '' } = await infoFor(person.visitor, 'openid profile');
  const shown = await fetch(picture);
  expect(Buffer.from(await shown.arrayBuffer())).toEqual(Buffer.from(tinyPng));
  expect(shown.headers.get('cross-origin-resource-policy')).toBe('cross-origin');

  const statusOf = async (change: Record<string, string>) => {
    const url = new URL(picture);
    for (const [name, value] of Object.entries(change)) url.searchParams.set(name, value);
    return (await fetch(url)).status;
  };
  const other = await member();
  const file = await other.org.picture(other);
  expect(await statusOf({ file_id: file })).toBe(404);
  expect(await statusOf({ until: '9999999999999' })).toBe(404);
  expect(await statusOf({})).toBe(200);
  app.clock.forward(3_600_000);
  expect(await statusOf({})).toBe(404);
});

test('a removed picture is gone at once', async () => {
  const person = await member();
  await person.org.picture(person);
  const { picture = '' } = await infoFor(person.visitor, 'openid profile');
  responseOf(await person.visitor.delete('/drive/profile', {}));
  expect((await fetch(picture)).status).toBe(404);
});

test('the ID token says how and when the person signed in', async () => {
  const { visitor, email } = await confirmed(app);
  const signUp = await visit(visitor, 'openid');
  expect(signUp.tokens.claims()).toMatchObject({ amr: ['pwd'], acr: '1' });
  expect(signUp.tokens.claims()?.auth_time).toBeTypeOf('number');
  const again = app.visitor();
  responseOf(await signIn(again, email));
  const { config, tokens } = await visit(again, 'openid');
  expect(tokens.claims()).toMatchObject({ amr: ['pwd'], acr: '1' });
  const refreshed = await client.refreshTokenGrant(config, tokens.refresh_token ?? '');
  expect(refreshed.claims()).toMatchObject({ amr: ['pwd'], acr: '1', auth_time: tokens.claims()?.auth_time });
});

test('two-step sign-in gives two methods and `mfa`', async () => {
  const { email } = await twoStepPerson(app);
  const visitor = app.visitor();
  responseOf(await signIn(visitor, email));
  const otp = await mailedCode(app, email);
  responseOf(await visitor.post('/api/verifyotp', { contact: 'x', otp, timezone: '' }));
  expect((await visit(visitor, 'openid')).tokens.claims()).toMatchObject({
    amr: ['pwd', 'otp', 'mfa'],
    acr: '2',
  });
});

test.for([
  ['no second step', { acr_values: '2' }, ['1']],
  ['a mailed code', { acr_values: '2' }, ['second-step by sign-in', 'asked again']],
  ['an app', { acr_values: '2' }, ['second-step by app', '2']],
  ['an app', { acr_values: 'phr 2 1' }, ['second-step by app', '2']],
  ['an app', { acr_values: '1 2' }, ['1']],
  ['an app', { acr_values: 'phr' }, ['1']],
  ['an app', { acr_values: '2', prompt: 'none' }, ['1']],
] as const)('a person with %s who is sent with %o meets %o', async ([step, more, steps]) => {
  const at = await setting(app);
  const { visitor } = at;
  if (step === 'a mailed code') responseOf(await visitor.put('/api/mfa', { mfa_enabled: 1 }));
  const secret = step === 'an app' ? (await setUpApp(app, visitor)).secret : undefined;
  await updateRows(app, 'sessions', {}, { methods: ['pwd'], second_step: null });
  const acrAt = async ({ searchParams }: URL) => {
    const code = searchParams.get('code');
    if (code === null) return 'asked again';
    const { id_token: token = '' } = await redeem(app, at.application, code, VERIFIER);
    return decodeJwt(token)['acr'];
  };
  const walk = async () => {
    const url = await ask(at, { scope: 'openid organization', ...more });
    const request = url.searchParams.get('request');
    if (request === null) return [await acrAt(url)];
    const page = responseOf<{ step: string; proof: string }>(
      await visitor.get(`/api/authorization?request=${request}`),
    );
    if (secret) responseOf(await visitor.post('/api/reauthenticate', { app_code: appCode(app, secret) }));
    const answer = await visitor.post('/api/authorization', { request, accept: 1 });
    const { pathname } = new URL(responseOf<{ url: string }>(answer).url);
    const { headers } = await visitor.request('GET', pathname);
    return [`${page.step} by ${page.proof}`, await acrAt(new URL(headers.get('location') ?? ''))];
  };
  expect(await walk()).toEqual(steps);
});

test('a step-up adds its method once', async () => {
  const { visitor, id } = await confirmed(app);
  const methodsBecome = async (methods: ('pwd' | 'otp' | 'fed')[]) => {
    await updateRows(app, 'sessions', { user_id: id }, { methods });
    responseOf(await visitor.post('/api/reauthenticate', { password: PASSWORD }));
    return (await visit(visitor, 'openid')).tokens.claims()?.['amr'];
  };
  expect(await methodsBecome(['fed'])).toEqual(['fed', 'pwd']);
  expect(await methodsBecome(['pwd'])).toEqual(['pwd']);
});

test('a provider’s own second step gives `mfa` beside `fed`', async () => {
  const { visitor, id } = await confirmed(app);
  await updateRows(app, 'sessions', { user_id: id }, { methods: ['fed'], second_step: 'provider' });
  expect((await visit(visitor, 'openid')).tokens.claims()).toMatchObject({ amr: ['fed', 'mfa'], acr: '2' });
});
