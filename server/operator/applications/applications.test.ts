import * as client from 'openid-client';
import { describe, expect, test } from 'vitest';
import { addressText } from '#words/address.ts';
import { DAY_MS, MINUTE_MS } from '#server/clock.ts';
import { listCards } from '#server/applications/data-clients.ts';
import { authorize, CALLBACK, discover, enter } from '#server/testing/applications.ts';
import { skipDrawing, tinyPng } from '#server/testing/icons.ts';
import { act, acted, linesOf, outcomeOf } from '#server/testing/operator.ts';
import { founder } from '#server/testing/people.ts';
import { lastingSessions } from '#server/testing/start-app.ts';
import { useApp } from '#server/testing/use-app.ts';
import { updateRows } from '#server/testing/rows.ts';

const app = useApp({ ...lastingSessions, RATE_LIMIT_FACTOR: '100' });

type Added = { readonly client_id: string; readonly client_secret: string | null };
async function add(more: object = {}) {
  const input = { name: 'Sign', redirect: [CALLBACK], 'first-party': true, ...more };
  const { client_id: application, client_secret: secret } = await acted<Added>(
    app.deps,
    'applications add',
    input,
  );
  return { application, secret: secret ?? '' };
}
const rotate = async (application: string, more: object = {}) =>
  (await acted<{ client_secret: string }>(app.deps, 'applications rotate-secret', { application, ...more }))
    .client_secret;
const base64 = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64');

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
  const { application, secret } = await add();
  expect(await enters(application, secret)).toBe(true);
  expect(await enters(application, `${secret}x`)).toBe(false);
});

test('a leaked secret ends at once, and a second rotation does not prolong a former one', async () => {
  const { application, secret } = await add();
  const second = await rotate(application);
  app.clock.forward(DAY_MS / 2);
  await rotate(application);
  app.clock.forward(DAY_MS / 2 + MINUTE_MS);
  expect([await enters(application, secret), await enters(application, second)]).toEqual([false, true]);
  const third = await rotate(application, { 'at-once': true });
  expect([await enters(application, second), await enters(application, third)]).toEqual([false, true]);
});

test.for([
  { kind: 'single-page' },
  { kind: 'native' },
  { 'public-keys': base64({ keys: [{ kty: 'EC', crv: 'P-256', x: 'a', y: 'b' }] }) },
])('%j: has no secret', async (settings) => {
  const { application, secret } = await add(settings);
  expect(secret).toBe('');
  expect(await outcomeOf(app.deps, 'applications rotate-secret', { application })).toBe('not_allowed');
});

test('nobody enters a paused application until it is resumed, and its tokens end for good', async () => {
  const { application, secret } = await add();
  const { visitor } = await founder(app);
  const config = await discover(app, { clientId: application, secret });
  const { refresh_token: token = '' } = await enter(visitor, config);
  await acted(app.deps, 'applications pause', { application });
  expect(await enters(application, secret)).toBe(false);
  await expect(client.refreshTokenGrant(config, token)).rejects.toMatchObject({ error: 'invalid_client' });
  expect(await outcomeOf(app.deps, 'applications pause', { application })).toBe('no_changes');
  await acted(app.deps, 'applications resume', { application });
  await expect(client.refreshTokenGrant(config, token)).rejects.toMatchObject({ error: 'invalid_grant' });
  expect(await enters(application, secret)).toBe(true);
});

test('equal settings are no change, whatever the order of the keys’ fields', async () => {
  const key = { x: 'a', y: 'b', crv: 'P-256', kty: 'EC' };
  const { application } = await add({ 'public-keys': base64({ keys: [key] }) });
  const reordered = { kty: 'EC', crv: 'P-256', y: 'b', x: 'a' };
  const input = { application, 'public-keys': base64({ keys: [reordered] }) };
  expect(await outcomeOf(app.deps, 'applications edit', input)).toBe('no_changes');
});

test("only Super Admins change an organization's application; the operator can pause it", async () => {
  const { application } = await add({ 'first-party': false });
  const { orgId } = await founder(app);
  await updateRows(app, 'applications', { client_id: application }, { org_id: orgId });
  const edit = { application, name: 'Other' };
  expect(await outcomeOf(app.deps, 'applications edit', edit)).toBe('not_allowed');
  expect(await outcomeOf(app.deps, 'applications rotate-secret', { application })).toBe('not_allowed');
  expect(await outcomeOf(app.deps, 'applications pause', { application })).toBe('done');
});

describe('a registration', () => {
  test.for<[message: string, settings: object]>([
    [`--redirect http://sign.example/: ${addressText.scheme}`, { redirect: ['http://sign.example/'] }],
    [`--redirect: ${addressText.noRedirect}`, { redirect: [] }],
    [`--redirect: ${addressText.noPages}`, { kind: 'server' }],
    [`--logout-tokens http://b.example: ${addressText.scheme}`, { 'logout-tokens': 'http://b.example' }],
    [`--api urn:b: ${addressText.scheme}`, { api: ['urn:b'] }],
    [`--kind desktop: ${addressText.kind}`, { kind: 'desktop' }],
    [`--pkce: ${addressText.pkce}`, { kind: 'native', pkce: false }],
    ['There is no organization "nowhere".', { 'members-of': 'nowhere' }],
    ['PNG', { icon: base64({}) }],
    [`--public-keys: ${addressText.publicKeys}`, { 'public-keys': base64({}) }],
  ])('is refused: %s', async ([message, settings]) => {
    const input = { name: 'Wrong', redirect: [CALLBACK], ...settings };
    expect(await linesOf(app.deps, 'applications add', input)).toEqual([expect.stringContaining(message)]);
    expect(await outcomeOf(app.deps, 'applications show', { application: 'Wrong' })).toBe(
      'application_not_found',
    );
  });

  test('shows client ID and secret once, and logs everything but the secret', async () => {
    const { application, secret } = await add({
      name: 'Shown',
      'logout-tokens': 'https://sign.example/ended',
    });
    expect([application, secret]).toEqual([
      expect.stringMatching(/^app-[\w-]{16}$/),
      expect.stringMatching(/^[\w-]{43}$/),
    ]);
    const lines = [
      ...(await linesOf(app.deps, 'applications show', { application: 'Shown' })),
      ...(await linesOf(app.deps, 'applications list')),
      ...(await linesOf(app.deps, 'log', { limit: '1' })),
    ];
    expect(lines).toContain('redirect addresses   https://sign.example/callback');
    expect(lines).toContain(`secret               of ${app.clock.now().toISOString()}`);
    expect(lines).toContain('logout tokens        https://sign.example/ended');
    expect(lines).toContain(`${application}  Shown  web, first-party`);
    expect(lines).toContain(`    redirect urls: (none) → ${CALLBACK}`);
    expect(lines.join()).not.toContain(secret);
    expect(lines.join()).not.toContain('(none) → (none)');
  });
});

test('an edit changes only the settings that it names, and logs old and new values', async () => {
  const { application } = await add({
    name: 'Edited',
    description: 'Before',
    'signed-out': ['https://sign.example/bye'],
    par: true,
    'members-only': true,
  });
  const show = () => acted(app.deps, 'applications show', { application });
  expect(await show()).toMatchObject({
    members_of: 0,
    requires_par: true,
    settings: {
      redirect: [CALLBACK],
      par: true,
      pkce: true,
      start: '',
      'members-only': true,
      'members-of': '',
    },
  });
  const changes = { description: 'After', 'signed-out': [''], par: false, 'members-only': false };
  expect(await act(app.deps, 'applications edit', { application, ...changes })).toMatchObject({
    lines: [
      `${application}  Edited`,
      'Changed: description, signed out addresses, requires par, members of.',
    ],
  });
  expect(await show()).toMatchObject({
    description: 'After',
    redirect_urls: [CALLBACK],
    signed_out_urls: [],
    requires_par: false,
    members_of: null,
  });
  const [row] = await acted<object[]>(app.deps, 'log', { limit: '1' });
  expect(row).toMatchObject({
    changes: {
      application: 'Edited',
      description: ['Before', 'After'],
      signed_out_urls: [['https://sign.example/bye'], []],
      requires_par: [true, false],
    },
  });
  expect(await linesOf(app.deps, 'applications edit', { application, redirect: [''] })).toEqual([
    `--redirect: ${addressText.noRedirect}`,
  ]);
});

test('an ambiguous name selects no application', async () => {
  const twins = [await add({ name: 'Twin' }), await add({ name: 'Twin' })];
  const [refused] = await linesOf(app.deps, 'applications edit', { application: 'Twin', name: 'One' });
  expect(refused).toContain('2 applications match "Twin". Name one by its client ID:');
  for (const { application } of twins) expect(refused).toContain(application);
});

test('an application shows its icon until it is taken away', async () => {
  skipDrawing(app);
  const { application } = await add({ start: 'https://a.example' });
  const edit = (icon: string) => act(app.deps, 'applications edit', { application, icon });
  const shown = async () => (await listCards(app.deps.sql)).at(-1)?.icon;
  expect(await edit(tinyPng.toString('base64'))).toMatchObject({ data: { fields: ['icon'] } });
  expect(await shown()).toMatch(/file_id=[\w-]{43}$/);
  expect(await edit('')).toMatchObject({ data: { fields: ['icon'] } });
  expect(await shown()).toBeNull();
  expect(await edit('')).toMatchObject({ name: 'no_changes' });
});
