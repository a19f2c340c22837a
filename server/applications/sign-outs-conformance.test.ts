import { expect, test } from 'vitest';
import { rotateSigningKeys } from './keys.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#server/clock.ts';
import { transaction } from '#server/db/connect.ts';
import { discover, enter, errorOf, registerApplication, sendForm } from '#server/testing/applications.ts';
import { founder } from '#server/testing/people.ts';
import { lastingSessions } from '#server/testing/start-app.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf, Visitor } from '#server/testing/visitor.ts';

// The cases of the conformance suite's plan for OpenID Connect RP-Initiated Logout 1.0, and the standard's other rules.
const app = useApp({ ...lastingSessions, RATE_LIMIT_FACTOR: '100' });
const GOODBYE = 'https://sign.example/goodbye';

/** A person who entered an application that may end their session. */
async function entered(more: Parameters<typeof registerApplication>[1] = {}) {
  const { visitor } = await founder(app, 'Leaving');
  const application = await registerApplication(app, { signed_out_urls: [GOODBYE], ...more });
  const config = await discover(app, application);
  const { id_token: hint = '' } = await enter(visitor, config);
  return { visitor, session: visitor.session, application, config, hint };
}
type World = Awaited<ReturnType<typeof entered>>;

/** Whether this cookie of a session still opens the account. An answer that only clears the cookie ends no session. */
const isSignedIn = async (session = '') =>
  (await new Visitor(app.url, new Map([['portico', session]])).get('/api/user')).code === undefined;

/** Sends a browser to the end-session endpoint; returns where it goes on. */
async function leave(visitor: Visitor, parameters: Record<string, string>) {
  const query = new URLSearchParams(parameters).toString();
  const asPage = { headers: { accept: 'text/html' } };
  const response = await visitor.request('GET', `/oidc/logout?${query}`, asPage);
  return new URL(response.headers.get('location') ?? '', app.url);
}

/** Where the browser goes on, in words that each case can name. */
const placeOf = (url: URL) => {
  if (url.origin !== app.url) return url.href;
  return url.pathname === '/authorize' ? `error ${errorOf(url)}` : url.pathname;
};

type Case = {
  readonly what: string;
  readonly more?: Parameters<typeof registerApplication>[1];
  readonly asks: (world: World) => Record<string, string> | Promise<Record<string, string>>;
  /** Where the browser goes: an address of the application, a page of ours, or an error. */
  readonly goes: string;
  /** Where it goes after the person has agreed on the page. */
  readonly after?: string;
};
const asked: Case[] = [
  {
    what: 'no id_token_hint: the person is asked, and an address of nobody counts for nothing',
    asks: () => ({ post_logout_redirect_uri: GOODBYE, state: 'xyz' }),
    goes: '/signout',
    after: '/login',
  },
  {
    what: 'client_id without a hint: the person is asked, then it returns',
    asks: ({ application }) => ({
      client_id: application.clientId,
      post_logout_redirect_uri: GOODBYE,
      state: 'xyz',
    }),
    goes: '/signout',
    after: `${GOODBYE}?state=xyz`,
  },
  {
    what: 'id_token_hint of another session: the person is asked',
    asks: async ({ config }) => {
      const other = await founder(app, 'Other');
      const { id_token: hint = '' } = await enter(other.visitor, config);
      return { id_token_hint: hint, post_logout_redirect_uri: GOODBYE };
    },
    goes: '/signout',
    after: GOODBYE,
  },
  {
    what: 'id_token_hint of a third party: the person is asked',
    asks: async ({ application, hint }) => {
      const { sql } = app.deps;
      await sql
        .updateTable('applications')
        .set({ is_first_party: false })
        .where('id', '=', application.id)
        .execute();
      return { id_token_hint: hint, post_logout_redirect_uri: GOODBYE };
    },
    goes: '/signout',
    after: GOODBYE,
  },
  ...[false, true].map((isAtOnce) => ({
    what: `id_token_hint of a key that has left (withdrawn: ${isAtOnce}): the person is asked (P20)`,
    asks: async ({ hint }: World) => {
      await transaction(app.deps.sql, (tx) => rotateSigningKeys(tx, app.deps, isAtOnce));
      app.clock.forward(isAtOnce ? MINUTE_MS : DAY_MS + HOUR_MS + MINUTE_MS);
      return { id_token_hint: hint, post_logout_redirect_uri: GOODBYE };
    },
    goes: '/signout',
    after: GOODBYE,
  })),
];

test.for(asked)('$what', async ({ more, asks, goes, after = '' }) => {
  const world = await entered(more);
  const page = await leave(world.visitor, await asks(world));
  expect([placeOf(page), await isSignedIn(world.session)]).toEqual([goes, true]);
  const request = page.searchParams.get('request');
  const answer = await world.visitor.post('/api/authorization/signout', { request });
  expect(placeOf(new URL(responseOf<{ url: string }>(answer).url))).toBe(after);
  expect(await isSignedIn(world.session)).toBe(false);
});

test('POST: a form of the application counts like a GET', async () => {
  const { visitor, session, hint } = await entered();
  const form = { id_token_hint: hint, post_logout_redirect_uri: GOODBYE, state: 'xyz' };
  const posted = await sendForm(app, '/oidc/logout', form);
  const answer = await visitor.request('GET', posted.headers.get('location') ?? '');
  expect(answer.headers.get('location')).toBe(`${GOODBYE}?state=xyz`);
  expect(await isSignedIn(session)).toBe(false);
});

test('nobody is signed in: the browser returns all the same', async () => {
  const { visitor, hint } = await entered();
  await visitor.delete('/api/logout');
  const asks = { id_token_hint: hint, post_logout_redirect_uri: GOODBYE, state: 'xyz' };
  expect(placeOf(await leave(visitor, asks))).toBe(`${GOODBYE}?state=xyz`);
});
