import { randomUUID } from 'node:crypto';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { expect, test } from 'vitest';
import { MINUTE_MS } from '#server/clock.ts';
import { seal } from '#server/keys.ts';
import { founder, newEmail, signIn } from '#server/testing/people.ts';
import { listen, SOCIAL_CLIENT } from '#server/testing/providers.ts';
import { getRow, insertRow } from '#server/testing/rows.ts';
import { lastingSessions } from '#server/testing/start-app.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf, type Visitor } from '#server/testing/visitor.ts';

const app = useApp(lastingSessions);
const EVENT = { 'http://schemas.openid.net/event/backchannel-logout': {} };
const isIn = async (visitor: Visitor) => responseOf(await visitor.get('/api/ustat')) !== null;

/** A connection to a provider with keys, and a person with two sessions that entered through it. */
async function world() {
  const { privateKey, publicKey } = await generateKeyPair('RS256');
  const keys = { keys: [{ ...(await exportJWK(publicKey)), alg: 'RS256', use: 'sig', kid: 'one' }] };
  const provider = await listen((request, response) => {
    const issuer = `http://${request.headers.host}`;
    const isDiscovery = request.url?.startsWith('/.well-known/');
    const body = isDiscovery
      ? {
          issuer,
          jwks_uri: `${issuer}/keys`,
          authorization_endpoint: `${issuer}/a`,
          token_endpoint: `${issuer}/t`,
        }
      : keys;
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  const boss = await founder(app);
  const now = app.clock.now();
  await insertRow(app, 'company_connections', { org_id: boss.orgId, created_at: now });
  const { id } = await getRow(app, 'company_connections', ['id'], { org_id: boss.orgId });
  await app.deps.sql
    .updateTable('company_connections')
    .set({
      is_on: true,
      issuer: provider.url,
      client_id: SOCIAL_CLIENT.id,
      sealed_secret: seal(app.deps.keys, 'company connection', 'x', String(id)),
      tested_at: now,
    })
    .where('id', '=', id)
    .execute();
  const shown = await boss.visitor.get(`/api/orgs/connections?org_id=${boss.orgId}`);
  const [connection] = responseOf<{ logout_url: string }[]>(shown);
  // This session did not enter through the company.
  await app.deps.sql
    .deleteFrom('sessions')
    .where('user_id', '=', boss.id as never)
    .execute();
  const enter = async (sid: string) => {
    const visitor = app.visitor();
    responseOf(await signIn(visitor, boss.email));
    const row = await app.deps.sql
      .selectFrom('sessions')
      .select('id')
      .where('user_id', '=', boss.id as never)
      .orderBy('created_at', 'desc')
      .orderBy('last_seen_at', 'desc')
      .execute();
    const taken = new Set(
      (await app.deps.sql.selectFrom('company_entries').select('session_id').execute()).map(
        ({ session_id: of }) => of,
      ),
    );
    const session = row.find(({ id: sessionId }) => !taken.has(sessionId));
    await insertRow(app, 'company_entries', {
      session_id: session?.id ?? 0,
      connection_id: id,
      subject: 'boss',
      sid,
      created_at: now,
    });
    return visitor;
  };
  const tokenWith = (claims: object, { typ = 'logout+jwt', audience = SOCIAL_CLIENT.id, age = 0 } = {}) => {
    const at = Math.floor(app.clock.now().getTime() / 1000) - age;
    const token = new SignJWT({ events: EVENT, jti: randomUUID(), ...claims }).setProtectedHeader({
      alg: 'RS256',
      kid: 'one',
      typ,
    });
    return token
      .setIssuer(provider.url)
      .setAudience(audience)
      .setIssuedAt(at)
      .setExpirationTime(at + 600)
      .sign(privateKey);
  };
  const logOut = async (token: string, to = connection!.logout_url) => {
    const body = new URLSearchParams({ logout_token: token });
    return (await fetch(to, { method: 'POST', body })).status;
  };
  return { boss, provider, enter, tokenWith, logOut };
}

test('a logout token ends the session with its sid, and without one every session of its subject', async () => {
  const { boss, provider, enter, tokenWith, logOut } = await world();
  // The founder's own session did not enter through the company.
  await app.deps.sql
    .deleteFrom('sessions')
    .where('user_id', '=', boss.id as never)
    .execute();
  const [first, second] = [await enter('one'), await enter('two')];
  expect(await logOut(await tokenWith({ sub: 'boss', sid: 'one' }))).toBe(200);
  expect([await isIn(first), await isIn(second)]).toEqual([false, true]);
  const other = app.visitor();
  responseOf(await signIn(other, boss.email));
  expect(await logOut(await tokenWith({ sub: 'boss' }))).toBe(200);
  expect([await isIn(second), await isIn(other)]).toEqual([false, true]);
  await provider.close();
});

test('anything but a fresh logout token of this connection changes nothing (U18)', async () => {
  const { provider, enter, tokenWith, logOut } = await world();
  const visitor = await enter('one');
  const about = { sub: 'boss', sid: 'one' };
  const used = await tokenWith({ ...about, sid: 'nobody' });
  expect(await logOut(used)).toBe(200);
  const tokens = [
    used,
    await tokenWith({ ...about, events: undefined }),
    await tokenWith({ ...about, nonce: 'n' }),
    await tokenWith({ ...about, jti: undefined }),
    await tokenWith({}),
    await tokenWith(about, { typ: 'at+jwt' }),
    await tokenWith(about, { audience: 'another client' }),
    await tokenWith(about, { age: 125 }),
    await tokenWith(about, { age: -60 }),
    `${await tokenWith(about)}x`,
    newEmail(),
  ];
  for (const token of tokens) expect(await logOut(token)).toBe(400);
  expect(await logOut(await tokenWith(about), `${app.url}/api/auth/company/1/logout`)).toBe(400);
  expect(await isIn(visitor)).toBe(true);
  app.clock.forward(MINUTE_MS);
  // The provider's clock may be ahead.
  expect(await logOut(await tokenWith(about, { age: -20 }))).toBe(200);
  expect(await isIn(visitor)).toBe(false);
  await provider.close();
});
