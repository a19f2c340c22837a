import { describe, expect, test } from 'vitest';
import { dayIn } from '#contract/dates.ts';
import { DAY_MS, MINUTE_MS } from '#server/clock.ts';
import type { OrgId } from '#contract/wire.ts';
import { authorize, CALLBACK, discover, registerApplication } from '#server/testing/applications.ts';
import { addPasskey, signInByPasskey } from '#server/testing/authenticator.ts';
import { founder, mailedCode, PASSWORD } from '#server/testing/people.ts';
import { appCode, firstStep, setUpApp } from '#server/testing/second-steps.ts';
import { deleteRows } from '#server/testing/rows.ts';
import { staff } from '#server/testing/staff.ts';
import { lastingSessions } from '#server/testing/start-app.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf, type Visitor } from '#server/testing/visitor.ts';

const app = useApp(lastingSessions);
const place = { timezone: '' };
type Init = {
  readonly default_organizations: { readonly Id: number } | null;
  readonly awaiting_second_step?: readonly object[];
};
const init = async (visitor: Visitor) => responseOf<Init>(await visitor.get('/api/init'));
const setRule = (boss: { visitor: Visitor; orgId: number }, rule: string, from?: Date) =>
  boss.visitor.put('/api/orgs/secondstep', { org_id: boss.orgId, rule, from: from?.toISOString() });
const inDays = (days: number) => new Date(app.clock.now().getTime() + days * DAY_MS);
/** Whether the visitor reaches the organization, by each kind of call that names it. */
async function reaches(visitor: Visitor, orgId: number) {
  const answers = [
    await visitor.get(`/api/init?org_id=${orgId}`),
    await visitor.get(`/api/orgusers?org_id=${orgId}`),
    await visitor.get(`/api/role?org_id=${orgId}`),
  ];
  const codes = new Set(answers.map(({ code }) => code ?? 'reached'));
  return codes.size === 1 ? [...codes][0] : [...codes];
}

/** A Super Admin whose session was opened with a passkey, and a member without a second step. */
async function world() {
  const boss = await founder(app);
  const passkey = await addPasskey(boss.visitor, app.url);
  responseOf(await signInByPasskey(boss.visitor, passkey));
  const member = await staff(app, boss.orgId, 'Admin');
  return { boss, member };
}

test('only a Super Admin lists the members without the rule (W15), and must meet it', async () => {
  const boss = await founder(app);
  const admin = await staff(app, boss.orgId, 'Admin');
  const lacking = (rule: string, by = boss.visitor) =>
    by.get(`/api/orgusers?org_id=${boss.orgId}&lacks_step=${rule}`);
  expect((await lacking('any', admin.visitor)).code).toBe('super_admin_only');
  const own = () => boss.visitor.get(`/api/orgs/secondstep?org_id=${boss.orgId}`);
  expect(responseOf(await own())).toMatchObject({ proven: 'none', ready: 'none' });
  expect((await setRule(boss, 'any')).code).toBe('second_step_required');
  expect((await setRule(boss, 'any', inDays(7))).code).toBe('second_step_required');
  responseOf(await boss.visitor.put('/api/mfa', { mfa_enabled: 1 }));
  expect(responseOf(await own())).toMatchObject({ proven: 'none', ready: 'any' });
  await firstStep(boss.visitor, boss.email);
  const otp = await mailedCode(app, boss.email);
  responseOf(await boss.visitor.post('/api/verifyotp', { contact: 'x', otp, ...place }));
  expect(responseOf(await setRule(boss, 'any'))).toMatchObject({
    rule: 'any',
    members: 2,
    without_any: 1,
    without_strong: 2,
    proven: 'any',
    ready: 'any',
  });
  expect(responseOf(await lacking('any'))).toMatchObject({ total: 1, members: [{ email: admin.email }] });
  expect(responseOf(await lacking('strong'))).toMatchObject({ total: 2 });
  expect((await setRule(boss, 'any')).code).toBe('no_changes');
  expect((await setRule(boss, 'strong')).code).toBe('second_step_required');
});

test('the only Super Admin needs a second way back before a rule', async () => {
  const { boss } = await world();
  await deleteRows(app, 'recovery_codes', { user_id: boss.id });
  const own = async () => responseOf(await boss.visitor.get(`/api/orgs/secondstep?org_id=${boss.orgId}`));
  expect(await own()).toMatchObject({ proven: 'strong', spare: 'none' });
  const refused = await setRule(boss, 'strong', inDays(7));
  expect(refused.body.error?.details).toContain('You are the only Super Admin');
  expect((await boss.visitor.get('/api/reauthenticate?step=strong')).body).toMatchObject({
    response: { ways: ['passkey'] },
  });
  responseOf(await boss.visitor.post('/api/recoverycodes', {}));
  expect(await own()).toMatchObject({ spare: 'strong' });
  responseOf(await setRule(boss, 'strong', inDays(7)));
});

test('before its day the rule only notifies the members without a second step', async () => {
  const { boss, member } = await world();
  const from = new Date(inDays(7).setUTCHours(12));
  const time_zone = 'Pacific/Kiritimati'; // There it is the next day.
  responseOf(await member.visitor.put('/api/user', { first_name: 'Ken', time_zone }));
  responseOf(await setRule(boss, 'strong', from));
  const asked = (await app.mails(member.email)).filter(({ subject }) => subject.includes('requires'));
  expect(asked.map(({ text }) => text.includes(dayIn(time_zone)(from)))).toEqual([true]);
  expect(asked[0]?.text).toContain(`Set it up:\n${app.url}/account/myprofile?language=en#ways-in`);
  expect((await app.mails(boss.email)).map(({ subject }) => subject).join()).not.toContain('requires');
  expect(await reaches(member.visitor, boss.orgId)).toBe('reached');
  expect(await init(member.visitor)).toMatchObject({
    default_organizations: { Id: boss.orgId },
    awaiting_second_step: [{ Id: boss.orgId, rule: 'strong', is_closed: 0, is_ready: 0 }],
  });
});

test('a rule of a later day can be changed to apply at once, by the clock of the server', async () => {
  const { boss, member } = await world();
  expect(responseOf(await setRule(boss, 'any', inDays(7)))).toMatchObject({ holds: 0 });
  const from = app.clock.now().toISOString();
  expect(responseOf(await setRule(boss, 'any'))).toMatchObject({ from, holds: 1 });
  expect(await reaches(member.visitor, boss.orgId)).toBe('second_step_required');
  app.clock.forward(MINUTE_MS);
  expect((await setRule(boss, 'any')).code).toBe('no_changes');
});

test('from its day on, the rule closes the organization, and nothing else, to a member without a second step', async () => {
  const { boss, member } = await world();
  const other = await founder(app, 'Fabrikam');
  responseOf(await boss.visitor.put('/api/orgs', { org_id: boss.orgId, website: 'https://wide.example' }));
  responseOf(await setRule(boss, 'any', inDays(1)));
  app.clock.forward(DAY_MS);
  expect(await reaches(member.visitor, boss.orgId)).toBe('second_step_required');
  expect(await init(member.visitor)).toMatchObject({
    default_organizations: null,
    awaiting_second_step: [{ Id: boss.orgId, rule: 'any', is_closed: 1, is_ready: 0 }],
  });
  responseOf(await member.visitor.get('/api/usersession'));
  const [row] = responseOf<object[]>(await member.visitor.get('/api/orgs'));
  expect(row).toMatchObject({ Id: boss.orgId, WebSite: '' });
  expect(await reaches(other.visitor, other.orgId)).toBe('reached');
  expect(await reaches(boss.visitor, boss.orgId)).toBe('reached');
});

describe('the rule lets in a session with', () => {
  const signInByCode = async (visitor: Visitor, email: string) => {
    app.clock.forward(MINUTE_MS);
    await firstStep(visitor, email);
    const otp = await mailedCode(app, email);
    responseOf(await visitor.post('/api/verifyotp', { contact: 'x', otp, ...place }));
  };
  type Member = Awaited<ReturnType<typeof world>>['member'];
  const ways: Record<string, (member: Member) => Promise<unknown>> = {
    'a mailed code': async ({ visitor, email }) => {
      responseOf(await visitor.put('/api/mfa', { mfa_enabled: 1 }));
      await signInByCode(visitor, email);
    },
    'an app that was just set up': async ({ visitor }) => setUpApp(app, visitor),
    'a recovery code': async ({ visitor, email }) => {
      const { codes } = await setUpApp(app, visitor);
      await firstStep(visitor, email);
      responseOf(await visitor.post('/api/signin/recovery', { code: codes[0], ...place }));
    },
    'a recovery code that stands in for the mailed code': async ({ visitor, email }) => {
      responseOf(await visitor.put('/api/mfa', { mfa_enabled: 1 }));
      const { codes } = responseOf<{ codes: string[] }>(await visitor.post('/api/recoverycodes', {}));
      await firstStep(visitor, email);
      responseOf(await visitor.post('/api/signin/recovery', { code: codes[0], ...place }));
    },
    'a passkey that was just added': async ({ visitor }) => addPasskey(visitor, app.url),
    'a code of the app, after a mailed one': async ({ visitor, email }) => {
      const { secret } = await setUpApp(app, visitor);
      await firstStep(visitor, email);
      responseOf(await visitor.post('/api/otp', {}));
      const otp = await mailedCode(app, email);
      responseOf(await visitor.post('/api/verifyotp', { contact: 'x', otp, ...place }));
      app.clock.forward(MINUTE_MS);
      responseOf(await visitor.post('/api/reauthenticate', { app_code: appCode(app, secret) }));
    },
  };
  test.each([
    ['a mailed code', 'strong', 'second_step_required'],
    ['an app that was just set up', 'strong', 'reached'],
    ['a recovery code', 'strong', 'reached'],
    ['a recovery code that stands in for the mailed code', 'strong', 'second_step_required'],
    ['a passkey that was just added', 'strong', 'reached'],
    ['a code of the app, after a mailed one', 'strong', 'reached'],
  ])('%s under the rule "%s": %s', async (way, rule, answer) => {
    const { boss, member } = await world();
    await ways[way]?.(member);
    responseOf(await setRule(boss, rule));
    expect(await reaches(member.visitor, boss.orgId)).toBe(answer);
  });
});

test.each([
  ['a passkey', 'strong'],
  ['the app', 'strong'],
  ['two-step sign-in', 'any'],
])('the last second step stays while the organization asks for it: %s under "%s"', async (step, rule) => {
  const { boss, member } = await world();
  const { visitor } = member;
  if (step === 'a passkey') await addPasskey(visitor, app.url);
  if (step === 'the app') await setUpApp(app, visitor);
  if (step === 'two-step sign-in') responseOf(await visitor.put('/api/mfa', { mfa_enabled: 1 }));
  responseOf(await setRule(boss, rule));
  responseOf(await visitor.post('/api/reauthenticate', { password: PASSWORD }));
  const [passkey] = responseOf<{ passkeys: { id: string }[] }>(await visitor.get('/api/waysin')).passkeys;
  const removals = {
    'a passkey': () => visitor.send('DELETE', '/api/passkeys', { body: { id: passkey?.id } }),
    'the app': () => visitor.send('DELETE', '/api/authenticator', { body: {} }),
    'two-step sign-in': () => visitor.put('/api/mfa', { mfa_enabled: 0 }),
  };
  const lock = { 'a passkey': 'passkey', 'the app': 'app', 'two-step sign-in': 'two_step' }[step] ?? '';
  const locks = async () =>
    responseOf<{ locks: object; required_by: string | null }>(await visitor.get('/api/waysin'));
  const remove = removals[step as keyof typeof removals];
  expect(await locks()).toMatchObject({
    locks: { [lock]: 'second_step_needed' },
    required_by: 'Northwind Traders',
  });
  expect((await remove()).code).toBe('second_step_needed');
  responseOf(await setRule(boss, 'none'));
  expect(await locks()).toMatchObject({ locks: { [lock]: null }, required_by: null });
  responseOf(await remove());
});

test('a rule that asks for more keeps nobody from turning two-step sign-in on', async () => {
  const { boss, member } = await world();
  responseOf(await setRule(boss, 'strong'));
  expect(responseOf(await member.visitor.put('/api/mfa', { mfa_enabled: 1 }))).toEqual({ mfa_enabled: 1 });
});

test('an application gets no code for an organization whose rule the session does not meet', async () => {
  const { boss, member } = await world();
  responseOf(await setRule(boss, 'any'));
  const redirect = (visitor: Visitor) =>
    visitor.post('/api/redirect', { redirect_url: `${app.url}/x`, org_id: boss.orgId });
  // A redirect to the portal itself carries no code.
  expect((await redirect(member.visitor)).code).toBe('second_step_required');
  responseOf(await redirect(boss.visitor));
});

test.for(['the only one', 'the owner of the application'])(
  'the page of a request asks for the second step that %s requires, and then goes on',
  async (which) => {
    const { boss, member } = await world();
    responseOf(await member.visitor.put('/api/mfa', { mfa_enabled: 1 }));
    responseOf(await setRule(boss, 'any'));
    const ownership = which === 'the only one' ? {} : { org_id: boss.orgId as OrgId, is_first_party: false };
    const config = await discover(app, await registerApplication(app, ownership));
    const silent = await authorize(member.visitor, config, { prompt: 'none' });
    expect(new URL(silent.location).searchParams.get('error')).toBe('interaction_required');
    const { location } = await authorize(member.visitor, config);
    const request = new URL(location).searchParams.get('request');
    const page = async () => responseOf(await member.visitor.get(`/api/authorization?request=${request}`));
    expect(await page()).toMatchObject({ step: 'second-step', organizations: [{ id: boss.orgId }] });
    responseOf(await member.visitor.post('/api/reauthenticate/code', {}));
    responseOf(
      await member.visitor.post('/api/reauthenticate', { otp: await mailedCode(app, member.email) }),
    );
    expect(await page()).toMatchObject({ step: 'go-on' });
    const { url } = responseOf<{ url: string }>(
      await member.visitor.post('/api/authorization', { request, accept: 1 }),
    );
    const answer = await member.visitor.request('GET', new URL(url).pathname);
    expect(answer.headers.get('location')).toContain(`${CALLBACK}?code=`);
  },
);

describe('a mailed code in the session', () => {
  const ways = async (visitor: Visitor) =>
    responseOf<{ ways: string[] }>(await visitor.get('/api/reauthenticate')).ways;
  const sendCode = (visitor: Visitor) => visitor.post('/api/reauthenticate/code', {});

  test('opens an organization that requires any second step, together with a password', async () => {
    const { boss, member } = await world();
    responseOf(await member.visitor.put('/api/mfa', { mfa_enabled: 1 }));
    responseOf(await setRule(boss, 'any'));
    expect((await init(member.visitor)).awaiting_second_step).toMatchObject([{ is_closed: 1, is_ready: 1 }]);
    expect(await ways(member.visitor)).toEqual(['password', 'mail']);
    responseOf(await sendCode(member.visitor));
    const otp = await mailedCode(app, member.email);
    responseOf(await member.visitor.post('/api/reauthenticate', { otp }));
    expect(await reaches(member.visitor, boss.orgId)).toBe('reached');
    expect(await init(member.visitor)).not.toHaveProperty('awaiting_second_step');
  });

  test.each([
    ['no organization asks for a second step', false],
    ['they have a stronger step, and two-step sign-in is off', true],
  ])('is not mailed to a person with a password while %s', async (_case, hasPasskey) => {
    const { boss, member } = await world();
    if (hasPasskey) {
      await addPasskey(member.visitor, app.url);
      responseOf(await setRule(boss, 'any'));
    } else responseOf(await member.visitor.put('/api/mfa', { mfa_enabled: 1 }));
    expect(await ways(member.visitor)).not.toContain('mail');
    expect((await sendCode(member.visitor)).code).toBe('not_allowed');
  });
});
