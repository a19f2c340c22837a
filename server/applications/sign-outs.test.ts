import * as client from 'openid-client';
import { expect, test } from 'vitest';
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

test('without a hint the person is asked, and only in their own session', async () => {
  const { visitor } = await founder(app);
  const other = await founder(app);
  const response = await visitor.request('GET', '/oidc/logout');
  const page = new URL(response.headers.get('location') ?? '');
  expect(page.pathname).toBe('/signout');
  const request = page.searchParams.get('request');
  expect((await other.visitor.post('/api/authorization/signout', { request })).code).toBe(
    'authorization_expired',
  );
  expect(responseOf(await visitor.post('/api/authorization/signout', { request }))).toEqual({
    url: `${app.url}/login`,
  });
  expect((await visitor.get('/api/user')).code).toBe('not_signed_in');
});
