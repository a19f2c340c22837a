import * as client from 'openid-client';
import { expect, test } from 'vitest';
import type { ApplicationId } from '#contract/applications/registration.ts';
import { type SuiteApplication, unsetApplication } from '#contract/applications/suite.ts';
import { storePicture } from '#server/drive/actions.ts';
import { listCards, type StoredIcon } from '#server/applications/data-clients.ts';
import { operatorSender } from '#server/images.ts';
import { skipDrawing, tinyPng } from '#server/testing/icons.ts';
import { Refusal } from '#contract/errors.ts';
import { DAY_MS, MINUTE_MS } from '#server/clock.ts';
import { addApplication, editApplication, suite } from '#server/operator/applications/suite.ts';
import { settingsOf } from '#server/operator/applications/data.ts';
import { authorize, CALLBACK, discover, enter } from '#server/testing/applications.ts';
import { founder } from '#server/testing/people.ts';
import { lastingSessions } from '#server/testing/start-app.ts';
import { useApp } from '#server/testing/use-app.ts';

const app = useApp({ ...lastingSessions, RATE_LIMIT_FACTOR: '100' });
const by = { name: 'root' };
const sign: SuiteApplication = {
  ...unsetApplication,
  name: 'Sign',
  isFirstParty: true,
  redirectUrls: [CALLBACK],
};

async function add(settings: Partial<SuiteApplication> = {}) {
  const { entry: row, secret } = done(await addApplication(app.deps, by, { ...sign, ...settings }));
  return { clientId: row.client_id, secret: secret ?? '', id: row.id, row };
}
const done = <T>(result: T) => {
  if (result instanceof Refusal) throw new Error(result.name);
  return result as Exclude<T, Refusal>;
};
const rotate = async (id: ApplicationId, atOnce = false) =>
  done(await suite.rotateSecret(app.deps, by, id, atOnce)).secret;

/** Whether a person can sign in to an application with this secret. */
async function enters(clientId: string, secret: string): Promise<boolean> {
  const { visitor } = await founder(app);
  const config = await discover(app, { clientId, secret });
  const { location, verifier, state } = await authorize(visitor, config);
  if (!location.startsWith(CALLBACK)) return false;
  const checks = { pkceCodeVerifier: verifier, expectedState: state };
  try {
    await client.authorizationCodeGrant(config, new URL(location), checks);
    return true;
  } catch (error) {
    if (error instanceof client.ResponseBodyError && error.error === 'invalid_client') return false;
    throw error;
  }
}

test('a registered application signs people in with its secret', async () => {
  const { clientId, secret } = await add();
  expect(await enters(clientId, secret)).toBe(true);
  expect(await enters(clientId, `${secret}x`)).toBe(false);
});

test('a leaked secret ends at once, and a second rotation does not prolong a former one', async () => {
  const { clientId, secret, id } = await add();
  const second = await rotate(id);
  app.clock.forward(DAY_MS / 2);
  await rotate(id);
  app.clock.forward(DAY_MS / 2 + MINUTE_MS);
  expect([await enters(clientId, secret), await enters(clientId, second)]).toEqual([false, true]);
  const third = await rotate(id, true);
  expect([await enters(clientId, second), await enters(clientId, third)]).toEqual([false, true]);
});

test.for([
  [{ kind: 'single-page' }, 'has no secret'],
  [{ kind: 'native' }, 'has no secret'],
  [{ publicKeys: { keys: [{ kty: 'EC' }] } }, 'has no secret'],
] as const)('%j: %s', async ([settings]) => {
  const { secret, id } = await add(settings);
  expect(secret).toBe('');
  expect(await suite.rotateSecret(app.deps, by, id, false)).toMatchObject({ name: 'not_allowed' });
});

test('nobody enters a paused application until it is resumed, and its tokens end for good', async () => {
  const { clientId, secret, id } = await add();
  const { visitor } = await founder(app);
  const config = await discover(app, { clientId, secret });
  const { refresh_token: token = '' } = await enter(visitor, config);
  done(await suite.pause(app.deps, by, id, true));
  expect(await enters(clientId, secret)).toBe(false);
  await expect(client.refreshTokenGrant(config, token)).rejects.toMatchObject({ error: 'invalid_client' });
  expect(await suite.pause(app.deps, by, id, true)).toMatchObject({ name: 'no_changes' });
  done(await suite.pause(app.deps, by, id, false));
  await expect(client.refreshTokenGrant(config, token)).rejects.toMatchObject({ error: 'invalid_grant' });
  expect(await enters(clientId, secret)).toBe(true);
});

test('a removed application is gone with its tokens', async () => {
  const { clientId, secret, id } = await add();
  done(await suite.remove(app.deps, by, id));
  expect(await enters(clientId, secret)).toBe(false);
  expect(await suite.remove(app.deps, by, id)).toMatchObject({ name: 'not_found' });
});

test('equal settings are no change, whatever the order of the keys’ fields', async () => {
  const { id, row } = await add({ publicKeys: { keys: [{ x: 'a', kty: 'EC' }] } });
  const settings = { ...settingsOf(row), publicKeys: { keys: [{ kty: 'EC', x: 'a' }] } };
  expect(await editApplication(app.deps, by, id, settings)).toMatchObject({ name: 'no_changes' });
});

test('an application shows its icon until it is taken away, and the log keeps both files', async () => {
  skipDrawing(app);
  const { id, row } = await add({ startUrl: 'https://a.example' });
  const icon = done(await storePicture(app.deps, tinyPng, operatorSender));
  const edit = (change: StoredIcon | null) => editApplication(app.deps, by, id, settingsOf(row), change);
  const shown = async () => (await listCards(app.deps.sql)).at(-1)?.icon;
  expect(done(await edit(icon))).toMatchObject({ fields: ['icon'] });
  expect(await shown()).toMatch(new RegExp(`=${icon.fileId}$`));
  expect(done(await edit(null))).toMatchObject({ fields: ['icon'] });
  expect(await shown()).toBeNull();
  expect(await edit(null)).toMatchObject({ name: 'no_changes' });
});

test("only Super Admins change an organization's application; the operator can pause it", async () => {
  const { id, row } = await add({ isFirstParty: false });
  const { orgId } = await founder(app);
  await app.deps.sql
    .updateTable('applications')
    .set({ org_id: orgId as never })
    .where('id', '=', id)
    .execute();
  const settings = { ...settingsOf(row), name: 'Other' };
  expect(await editApplication(app.deps, by, id, settings)).toMatchObject({ name: 'not_allowed' });
  expect(await suite.rotateSecret(app.deps, by, id, false)).toMatchObject({ name: 'not_allowed' });
  expect(await suite.pause(app.deps, by, id, true)).toMatchObject({ paused_at: app.clock.now() });
});
