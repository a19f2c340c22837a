import type { KoaContextWithOIDC } from 'oidc-provider';
import * as client from 'openid-client';
import { expect, test, vi } from 'vitest';
import type { SessionId, UserId } from '#contract/wire.ts';
import { leave } from '#server/applications/sign-outs.ts';
import { visiting } from '#server/applications/visit.ts';
import { discover, enter, registerApplication } from '#server/testing/applications.ts';
import { founder } from '#server/testing/people.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf } from '#server/testing/visitor.ts';

const app = useApp();

const GOODBYE = 'https://sign.example/goodbye';
const connected = () => registerApplication(app, { signed_out_urls: [GOODBYE] });

test('a first-party application signs the person out without a page', async () => {
  const { visitor } = await founder(app);
  const config = await discover(app, await connected());
  const tokens = await enter(visitor, config);
  const url = client.buildEndSessionUrl(config, {
    id_token_hint: tokens.id_token ?? '',
    post_logout_redirect_uri: GOODBYE,
    state: 'bye',
  });
  const response = await visitor.request('GET', url.pathname + url.search);
  expect(response.headers.get('location')).toBe(`${GOODBYE}?state=bye`);
  expect((await visitor.get('/api/user')).code).toBe('not_signed_in');
  const again = await visitor.request('GET', url.pathname + url.search);
  expect(again.headers.get('location')).toBe(`${GOODBYE}?state=bye`);
});

test('an application that ends meanwhile shows nobody as signed out who is not', async () => {
  const { visitor, id } = await founder(app);
  const sessions = app.deps.sql
    .selectFrom('sessions')
    .select('id')
    .where('user_id', '=', id as UserId);
  const ask = async (sessionId: SessionId) => {
    const redirect = vi.fn<(url: string) => void>();
    const params = { post_logout_redirect_uri: GOODBYE };
    const oidc = { params, client: { clientId: 'removed' }, entities: {} };
    const person = { userId: id as UserId, sessionId, authenticatedAt: app.clock.now() };
    await visiting({ findVisitor: async () => person }, () =>
      leave({ oidc, redirect } as unknown as KoaContextWithOIDC, app.deps),
    );
    return redirect.mock.lastCall?.[0];
  };
  const { id: sessionId } = await sessions.executeTakeFirstOrThrow();
  expect(await ask(sessionId)).toContain(`${app.url}/signout?request=`);
  responseOf(await visitor.delete('/api/logout'));
  expect(await ask(sessionId)).toBe(GOODBYE);
});
