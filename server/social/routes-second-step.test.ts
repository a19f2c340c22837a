import { describe, expect, test } from 'vitest';
import { addPasskey, signInByPasskey } from '#server/testing/authenticator.ts';
import { founder, PASSWORD, twoStepPerson } from '#server/testing/people.ts';
import { setUpApp } from '#server/testing/second-steps.ts';
import {
  googler,
  linkGoogle,
  signInWith,
  startSocialApp,
  type SocialApp,
  whoIs,
} from '#server/testing/social-app.ts';
import { staff } from '#server/testing/staff.ts';
import { useServer } from '#server/testing/use-app.ts';
import { responseOf, type Visitor } from '#server/testing/visitor.ts';

const app = useServer(startSocialApp);
const MFA = { amr: ['pwd', 'mfa'] };

async function comeWith(claims: SocialApp['google']['person']) {
  app.google.person = claims;
  const visitor = app.visitor();
  return { visitor, page: await signInWith(app, visitor, 'google') };
}
const providerProofOf = (id: number) =>
  app.deps.sql
    .selectFrom('sessions')
    .select(['methods', 'second_step'])
    .where('user_id', '=', id as never)
    .where('second_step', '=', 'provider')
    .executeTakeFirst();

describe('a provider’s own second step (W12)', () => {
  test.each([
    ['a password', { amr: ['pwd'] }, false],
    ['several factors', MFA, true],
  ])('%s, as %j: no other one is asked for: %s', async (_case, claims, isSignedIn) => {
    const { visitor: owner, id } = await twoStepPerson(app);
    await setUpApp(app, owner);
    const sub = await linkGoogle(app, owner);
    const { visitor } = await comeWith({ sub, ...claims });
    expect((await whoIs(visitor))?.id).toBe(isSignedIn ? id : undefined);
    expect((await providerProofOf(id)) !== undefined).toBe(isSignedIn);
  });

  test('counts for the account that it creates', async () => {
    const { visitor } = await comeWith(googler(MFA));
    const id = (await whoIs(visitor))?.id ?? 0;
    expect(await providerProofOf(id)).toEqual({ methods: ['fed'], second_step: 'provider' });
  });
});

test('a session without the second step that an organization asks for links no service (W9)', async () => {
  const boss = await founder(app);
  responseOf(await signInByPasskey(boss.visitor, await addPasskey(boss.visitor, app.url)));
  const member = await staff(app, boss.orgId, 'Admin');
  const weak = app.visitor();
  responseOf(await weak.post('/api/signin', { email_id: member.email, password: PASSWORD, timezone: '' }));
  await setUpApp(app, member.visitor);
  responseOf(await boss.visitor.put('/api/orgs/secondstep', { org_id: boss.orgId, rule: 'any' }));
  const start = (visitor: Visitor) => visitor.get('/api/auth?state=2&channel_type=2');
  expect((await start(weak)).code).toBe('not_allowed');
  expect((await weak.post('/api/passkeys/options', {})).code).toBe('not_allowed');
  responseOf(await start(member.visitor));
});

test.each([
  ['any', 'reached', []],
  ['strong', 'second_step_required', [{ is_closed: 1, is_ready: 0 }]],
])('a provider’s second step under an organization’s rule "%s": %s', async (rule, answer, awaiting) => {
  const boss = await founder(app);
  responseOf(await signInByPasskey(boss.visitor, await addPasskey(boss.visitor, app.url)));
  const member = await staff(app, boss.orgId, 'Admin');
  const sub = await linkGoogle(app, member.visitor);
  responseOf(await boss.visitor.put('/api/orgs/secondstep', { org_id: boss.orgId, rule }));
  const reach = async (visitor: Visitor) => {
    const { code } = await visitor.get(`/api/orgusers?org_id=${boss.orgId}`);
    const init = responseOf<{ awaiting_second_step?: object[] }>(await visitor.get('/api/init'));
    return [code ?? 'reached', init.awaiting_second_step ?? []];
  };
  const withStep = await comeWith({ sub, ...MFA });
  expect(await reach(withStep.visitor)).toMatchObject([answer, awaiting]);
  const without = await comeWith({ sub });
  expect(await reach(without.visitor)).toMatchObject([
    'second_step_required',
    [{ is_closed: 1, is_ready: 0 }],
  ]);
});
