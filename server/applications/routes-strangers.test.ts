import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import {
  ask,
  CALLBACK,
  enter,
  errorOf,
  isAtCallback,
  sendForm,
  setting,
} from '#server/testing/applications.ts';
import { company } from '#server/testing/company.ts';
import { founder, PASSWORD } from '#server/testing/people.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf } from '#server/testing/visitor.ts';

// Requests to the OpenID provider by strangers, by other sites and by clients that ask for more than it knows.
const app = useApp();

test.for(['openid groups roles', 'openid  profile', ' openid '])(
  'scope %j: the application gets its code, and the log names what is unknown',
  async (scope) => {
    const at = await setting(app);
    for (const more of [{}, { prompt: 'none' }])
      expect((await ask(at, { scope, ...more })).searchParams.get('code')).toBeTruthy();
    const logged = app.logLines.some(
      (line) => line.includes(at.application.clientId) && line.includes('"ignored"'),
    );
    expect(logged).toBe(scope.includes('groups'));
  },
);

test.for([
  ['OpenID', 'the scope openid is missing'],
  ['profile', 'the scope openid is missing'],
  ['openid "x"', 'scope contains invalid characters'],
])('scope %j: the application gets the error "%s"', async ([scope = '', description]) => {
  const url = await ask(await setting(app), { scope, prompt: 'none' });
  expect(Object.fromEntries(url.searchParams)).toMatchObject({
    error: 'invalid_scope',
    error_description: description,
    state: 'the state',
  });
});

test('bodies that strangers hold back keep nobody waiting (P18)', async () => {
  const { visitor } = await founder(app, 'Waits');
  const { hostname, port, host } = new URL(app.url);
  const paths = ['token', 'revocation', 'par', 'introspection', 'userinfo'];
  const sockets = paths.flatMap((path) =>
    Array.from({ length: 16 }, () => {
      const socket = connect(Number(port), hostname);
      socket.write(
        `POST /oidc/${path} HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 200\r\n` +
          'Content-Type: application/x-www-form-urlencoded\r\n\r\ntoken=',
      );
      return once(socket, 'connect').then(() => socket);
    }),
  );
  const open = await Promise.all(sockets);
  expect((await visitor.get('/api/init')).status).toBe(200);
  expect((await visitor.put('/api/user', { first_name: 'Mira' })).status).toBe(200);
  for (const socket of open) socket.destroy();
});

const opened = async () =>
  (
    await app.deps.sql
      .selectFrom('provider_records')
      .select('id_hash')
      .where('kind', 'in', ['Interaction', 'PostedForm', 'SignOut'])
      .execute()
  ).length;

test.for(['image', 'empty', 'script', 'embed', 'object'])(
  'a load for "%s" opens no request and signs nobody out (P19)',
  async (destination) => {
    const { visitor, request } = await setting(app, { is_first_party: false });
    const headers = { 'sec-fetch-dest': destination, 'content-type': 'application/x-www-form-urlencoded' };
    const form = new URLSearchParams(request).toString();
    const before = await opened();
    for (const path of ['/oidc/auth', '/oidc/logout']) {
      expect((await visitor.request('GET', `${path}?${form}`, { headers })).status).toBe(403);
      expect((await visitor.request('POST', path, { headers, raw: form })).status).toBe(403);
    }
    expect(await opened()).toBe(before);
  },
);

test('a frame sends its application a code or an error, and opens no request (P19)', async () => {
  const at = await setting(app);
  const headers = { 'sec-fetch-dest': 'iframe', 'content-type': 'application/x-www-form-urlencoded' };
  const before = await opened();
  const answers = [];
  for (const [visitor, more] of [
    [at.visitor, {}],
    [at.visitor, { prompt: 'none' }],
    [at.visitor, { prompt: 'login' }],
    [app.visitor(), {}],
  ] as const) {
    const form = new URLSearchParams({ ...at.request, ...more }).toString();
    for (const answer of [
      await visitor.request('GET', `/oidc/auth?${form}`, { headers }),
      await visitor.request('POST', '/oidc/auth', { headers, raw: form }),
    ]) {
      const url = new URL(answer.headers.get('location') ?? '');
      answers.push(isAtCallback(url) && (errorOf(url) ?? 'code'));
    }
  }
  expect(answers).toEqual(
    ['code', 'code', 'login_required', 'login_required'].flatMap((answer) => [answer, answer]),
  );
  expect((await at.visitor.request('GET', '/oidc/logout', { headers })).status).toBe(403);
  expect(await opened()).toBe(before);
});

test('only the flows of the discovery document give tokens: no implicit one and no passwords', async () => {
  const at = await setting(app);
  for (const type of ['token', 'id_token', 'id_token token', 'code token']) {
    const { hash } = await ask(at, { response_type: type, nonce: 'n' });
    expect(new URLSearchParams(hash.slice(1)).get('error')).toBe('unsupported_response_type');
  }
  const form = { grant_type: 'password', username: 'maya@northwind.example', password: PASSWORD };
  expect(await (await sendForm(app, '/oidc/token', form, at.application)).json()).toMatchObject({
    error: 'unsupported_grant_type',
  });
});

test('`sid` opens nothing: it is no cookie and no part of one', async () => {
  const at = await setting(app);
  const { sid } = (await enter(at.visitor, at.config)).claims() as unknown as { sid: string };
  for (const [name, value] of at.visitor.cookies) {
    expect(value).not.toContain(sid);
    const thief = app.visitor();
    thief.cookies.set(name, sid);
    expect((await thief.get('/api/user')).code).toBe('not_signed_in');
    expect(errorOf(await ask({ ...at, visitor: thief }, { prompt: 'none' }))).toBe('login_required');
  }
});

/** An application of a company, and a request that has to end with an error. */
async function failing() {
  const org = await company(app);
  const at = await setting(app, { org_id: org.orgId, is_first_party: false });
  const member = await org.join('sales');
  return { ...at, member: member.visitor, outsider: at.visitor };
}
const silent = { prompt: 'none' };
const wrong = { code_challenge_method: 'plain' };

test.for([
  ['a stranger', silent],
  ['an outsider', silent],
  ['a stranger', wrong],
  ['an outsider', wrong],
] as const)(
  'an error of an organization’s application leads %s to a page that names its host (P26)',
  async ([who, more]) => {
    const { outsider, ...at } = await failing();
    const visitor = who === 'a stranger' ? app.visitor() : outsider;
    const page = await ask({ ...at, visitor }, more);
    expect([page.origin, page.pathname]).toEqual([app.url, '/authorize']);
    const request = page.searchParams.get('request') ?? '';
    const shown = responseOf<{ error_url: string }>(
      await app.visitor().get(`/api/authorization?request=${request}`),
    );
    expect(shown).toMatchObject({ step: 'leave', application: { host: 'sign.example' } });
    expect(shown.error_url).toMatch(`${CALLBACK}?error=`);
  },
);

test('members, frames and other applications get the error at once', async () => {
  const { member, ...at } = await failing();
  const asked = await ask({ ...at, visitor: member }, wrong);
  expect(isAtCallback(asked)).toBe(true);
  const suite = await setting(app);
  expect(isAtCallback(await ask({ ...suite, visitor: app.visitor() }, silent))).toBe(true);
  const query = new URLSearchParams({ ...at.request, ...silent }).toString();
  const headers = { 'sec-fetch-dest': 'iframe' };
  const framed = await app.visitor().request('GET', `/oidc/auth?${query}`, { headers });
  expect(framed.headers.get('location')).toMatch(`${CALLBACK}?error=login_required`);
});

test('an answer as a form ends on a page of ours', async () => {
  const at = await failing();
  const page = await ask({ ...at, visitor: app.visitor() }, { ...silent, response_mode: 'form_post' });
  expect(page.searchParams.get('error')).toBe('invalid_request');
});
