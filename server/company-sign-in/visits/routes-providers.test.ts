import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  attemptsOf,
  companyWithProvider,
  type CompanyWithProvider,
} from '#server/testing/company-provider.ts';
import { SOCIAL_CLIENT } from '#server/testing/providers.ts';
import { getRow, insertRow, listRows } from '#server/testing/rows.ts';
import {
  type Answer,
  type ScriptedProvider,
  startScriptedProvider,
} from '#server/testing/scripted-provider.ts';
import { lastingSessions } from '#server/testing/start-app.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf } from '#server/testing/visitor.ts';

const app = useApp(lastingSessions);
let provider: ScriptedProvider;
let company: CompanyWithProvider;
beforeAll(async () => {
  provider = await startScriptedProvider();
  company = await companyWithProvider(app, { isOn: false });
});
afterAll(async () => {
  await company.close();
  await provider.close();
});
let clients = 0;
beforeEach(async () => {
  clients += 1;
  Object.assign(provider, {
    misbehaves: {},
    metadata: {},
    takesSecret: undefined,
    secretWays: [],
    signedBy: 'own',
  });
  provider.claims = { email: `ann@${company.domain}` };
  // Nothing is known about another client.
  await save({ client_id: `${clients}`, issuer: provider.url, secret: SOCIAL_CLIENT.secret });
});
const save = async (settings: object) => responseOf(await company.save(settings));

/** Tests the draft; answers with the newest attempt, and with its claims by name. */
async function tryOut() {
  const { boss, key } = company;
  provider.claims = { aud: (await row()).client_id, ...provider.claims };
  const { auth_url: address } = responseOf<{ auth_url: string }>(
    await boss.visitor.post('/api/orgs/connections/test', key),
  );
  const { origin, pathname, searchParams, search } = new URL(address);
  provider.nonce = searchParams.get('nonce') ?? '';
  const back = new URLSearchParams({ code: 'a-code', state: searchParams.get('state') ?? '' });
  const path = `/api/auth/company/${key.connection_id}?${back.toString()}`;
  await boss.visitor.request('GET', origin === app.url ? pathname + search : path);
  const [attempt] = await attemptsOf(company);
  const claims = (attempt?.claims ?? []) as { name: string; value: string }[];
  return { ...attempt, named: Object.fromEntries(claims.map(({ name, value }) => [name, value])) };
}
const row = () =>
  getRow(app, 'company_connections', ['issuer', 'client_id'], { id: company.key.connection_id });

const json =
  (body: unknown, status = 200): Answer =>
  (response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

const [BASIC, POST] = ['client_secret_basic', 'client_secret_post'];
test.for<[listed: string[] | undefined, takes: string, ways: string[], outcome: string]>([
  [undefined, BASIC, [BASIC], 'tested'],
  [[POST], POST, [POST], 'tested'],
  [[BASIC], BASIC, [BASIC], 'tested'],
  [[BASIC, POST], BASIC, [BASIC], 'tested'],
  [[BASIC, POST], POST, [BASIC, POST], 'tested'],
  [undefined, POST, [BASIC, POST], 'tested'],
  [[BASIC], POST, [BASIC], 'wrongSecret'],
  [[BASIC, POST], 'another secret', [BASIC, POST], 'wrongSecret'],
  [['private_key_jwt'], BASIC, [], 'wrongSecretWay'],
])(
  'a provider that lists %j and takes %s gets the secret in %j: %s',
  async ([listed, takes, ways, outcome]) => {
    provider.metadata = { token_endpoint_auth_methods_supported: listed };
    provider.takesSecret = takes;
    expect((await tryOut()).outcome).toBe(outcome);
    expect(provider.secretWays).toEqual(ways);
    if (outcome !== 'tested') return;
    await tryOut();
    expect(provider.secretWays).toEqual([...ways, takes]);
  },
);

test.for<[about: string, claims: object, userinfo: Answer | undefined, names: (string | undefined)[]]>([
  ['asked for no names that are there', { given_name: 'Ann' }, json({ sub: 'x' }), ['Ann', undefined]],
  [
    'has the names',
    { name: 'Ann Lee' },
    json({ sub: 'scripted', given_name: 'Ann', family_name: 'Lee' }),
    ['Ann', 'Lee'],
  ],
  ['signs its answer', {}, (...of) => signedInfo(...of), ['Ann', 'Lee']],
  ['names another person', {}, json({ sub: 'another', given_name: 'Eve' }), [undefined, undefined]],
  ['is out of order', {}, json({}, 503), [undefined, undefined]],
])('userinfo %s, and never replaces the address of the ID token', async ([, claims, userinfo, names]) => {
  provider.claims = { ...provider.claims, given_name: undefined, ...claims };
  if (userinfo) provider.misbehaves = { userinfo };
  const { outcome, email, named } = await tryOut();
  expect([outcome, email]).toEqual(['tested', `ann@${company.domain}`]);
  expect([named['given_name'], named['family_name']]).toEqual(names);
});
const signedInfo: Answer = (response) => {
  const claims = { sub: 'scripted', given_name: 'Ann', family_name: 'Lee', email: 'eve@evil.example' };
  response.writeHead(200, { 'content-type': 'application/jwt' }).end(provider.sign(claims));
};

test.for<[typed: (issuer: string) => string, named: string | undefined, outcome: string]>([
  [(issuer) => `${issuer}/`, undefined, 'tested'],
  [(issuer) => `${issuer}/.well-known/openid-configuration`, undefined, 'tested'],
  [(issuer) => issuer, 'https://other.example', 'otherIssuer'],
])('%s: the issuer that the provider names is the one that is kept', async ([typed, named, outcome]) => {
  await insertRow(app, 'company_identities', {
    connection_id: company.key.connection_id,
    issuer: provider.url,
    subject: 'ann',
    user_id: company.boss.id,
    created_at: app.clock.now(),
  });
  await company.save({ issuer: typed(provider.url) });
  provider.metadata = { issuer: named ?? provider.url };
  const attempt = await tryOut();
  expect([attempt.outcome, attempt.problem]).toEqual([outcome, named ?? '']);
  expect((await row()).issuer).toBe(provider.url);
  const of = { connection_id: company.key.connection_id };
  expect(await listRows(app, 'company_identities', ['subject', 'issuer'], of)).toEqual([
    { subject: 'ann', issuer: provider.url },
  ]);
  await app.deps.sql.deleteFrom('company_identities').execute();
});

test('keys that are exchanged after a leak refuse nobody', async () => {
  expect((await tryOut()).outcome).toBe('tested');
  provider.exchangeKeys();
  expect((await tryOut()).outcome).toBe('tested');
});

const groups = (bytes: number) => ({ groups: 'x'.repeat(bytes) });
test.for<[settings: Partial<ScriptedProvider>, outcome: string, problem: string]>([
  [{ misbehaves: { token: json({}, 503) } }, 'noAnswer', 'HTTP 503'],
  [{ misbehaves: { discovery: json({}, 404) } }, 'noDocument', ''],
  [{ misbehaves: { discovery: json({}, 500) } }, 'noAnswer', 'HTTP 500'],
  [{ metadata: { id_token_signing_alg_values_supported: ['ES256'] } }, 'wrongAlgorithm', ''],
  [{ signedBy: 'another' }, 'wrongKey', ''],
  [{ claims: { exp: 1000 } }, 'wrongClock', ''],
  [{ claims: groups(150_000) }, 'tested', ''],
  [{ claims: groups(250_000) }, 'tooLarge', ''],
])('%o is told as %s', async ([{ claims, ...settings }, outcome, problem]) => {
  Object.assign(provider, settings);
  provider.claims = { ...provider.claims, ...claims };
  const attempt = await tryOut();
  expect([attempt.outcome, attempt.problem]).toEqual([outcome, problem]);
});
