import { createLocalJWKSet, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from 'jose';
import { expect, test } from 'vitest';
import { rotateSigningKeys, sweepSigningKeys } from './keys.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#server/clock.ts';
import { transaction } from '#server/db/connect.ts';
import { discover, enter, registerApplication } from '#server/testing/applications.ts';
import { founder } from '#server/testing/people.ts';
import { listRows, updateRows } from '#server/testing/rows.ts';
import { lastingSessions } from '#server/testing/start-app.ts';
import { useApp } from '#server/testing/use-app.ts';

const app = useApp({ ...lastingSessions, RATE_LIMIT_FACTOR: '100' });

const rotate = (isAtOnce = false) =>
  transaction(app.deps.sql, (tx) => rotateSigningKeys(tx, app.deps, isAtOnce));
const published = async () => (await (await fetch(`${app.url}/oidc/jwks`)).json()) as JSONWebKeySet;
const publishedNames = async () => (await published()).keys.map(({ kid }) => kid);
const rows = () =>
  app.deps.sql.selectFrom('signing_keys').select('kid').orderBy('created_at').orderBy('kid').execute();
/** A process looks for new keys once per minute. */
const forward = (ms: number) => app.clock.forward(ms + MINUTE_MS);

async function signedIn() {
  const { visitor } = await founder(app);
  const config = await discover(app, await registerApplication(app));
  return async () => (await enter(visitor, config)).id_token ?? '';
}

test('a new key is published a day before it signs, and the old one leaves an hour later', async () => {
  const newToken = await signedIn();
  const oldToken = await newToken();
  const { kid: oldName = '' } = decodeProtectedHeader(oldToken);
  const { kids } = await rotate();
  const stored = await listRows(app, 'signing_keys', ['sealed_key']);
  expect(stored.map(({ sealed_key: key }) => Buffer.from(key).includes('kty'))).toEqual(
    stored.map(() => false),
  );

  forward(0);
  expect(await publishedNames()).toEqual(expect.arrayContaining([oldName, ...kids]));
  expect(decodeProtectedHeader(await newToken()).kid).toBe(oldName);

  forward(DAY_MS);
  expect(kids).toContain(decodeProtectedHeader(await newToken()).kid);
  await expect(jwtVerify(oldToken, createLocalJWKSet(await published()))).resolves.toBeTruthy();

  forward(HOUR_MS);
  expect(new Set(await publishedNames())).toEqual(new Set(kids));
});

test('a leaked key is withdrawn at once: new keys sign, and its tokens are no longer good (P21)', async () => {
  const newToken = await signedIn();
  const oldToken = await newToken();
  const before = await publishedNames();
  const { kids, former } = await rotate(true);
  expect(new Set(former)).toEqual(new Set(before));
  forward(0);
  expect(new Set(await publishedNames())).toEqual(new Set(kids));
  expect(kids).toContain(decodeProtectedHeader(await newToken()).kid);
  await expect(jwtVerify(oldToken, createLocalJWKSet(await published()))).rejects.toThrow(
    'no applicable key',
  );
});

test('the sweep deletes retired keys', async () => {
  await sweepSigningKeys(app.deps);
  const before = (await rows()).map(({ kid }) => kid);
  const { kids } = await rotate();
  await sweepSigningKeys(app.deps);
  expect((await rows()).map(({ kid }) => kid).toSorted()).toEqual([...before, ...kids].toSorted());
  forward(DAY_MS + HOUR_MS);
  await sweepSigningKeys(app.deps);
  expect((await rows()).map(({ kid }) => kid).toSorted()).toEqual(kids.toSorted());
});

test('the sweep replaces keys after 90 days, once', async () => {
  const { kids } = await rotate();
  app.clock.forward(89 * DAY_MS);
  await sweepSigningKeys(app.deps);
  expect((await rows()).map(({ kid }) => kid).toSorted()).toEqual(kids.toSorted());
  app.clock.forward(DAY_MS);
  await Promise.all([sweepSigningKeys(app.deps), sweepSigningKeys(app.deps)]);
  expect((await rows()).map(({ kid }) => kid)).toEqual(expect.arrayContaining(kids));
  expect(await rows()).toHaveLength(4);
});

test('a request for which no key can be read is answered', async () => {
  await published();
  await updateRows(app, 'signing_keys', {}, { sealed_key: Buffer.alloc(64) });
  forward(0);
  expect((await fetch(`${app.url}/oidc/jwks`)).status).toBe(503);
});
