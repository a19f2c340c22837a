import * as client from 'openid-client';
import { beforeAll, describe, expect, test } from 'vitest';
import type { GrantId } from '#contract/applications/registration.ts';
import type { SessionId } from '#contract/wire.ts';
import {
  consumeRecord,
  deleteFamily,
  findRecord,
  insertCode,
  insertRecord,
  sweepRecords,
} from './data-records.ts';
import { sha256 } from '#server/keys.ts';
import { authorize, CALLBACK, discover, registerApplication } from '#server/testing/applications.ts';
import { company } from '#server/testing/company.ts';
import { founder } from '#server/testing/people.ts';
import { queriesOf } from '#server/testing/queries.ts';
import { getRow } from '#server/testing/rows.ts';
import { useApp } from '#server/testing/use-app.ts';
import type { Visitor } from '#server/testing/visitor.ts';

const app = useApp();
const LATER = new Date('2100-01-01');
let visitor: Visitor;
let config: client.Configuration;
beforeAll(async () => {
  ({ visitor } = await founder(app, 'Records'));
  config = await discover(app, await registerApplication(app));
});

const exchange = ({ location, verifier, state }: Awaited<ReturnType<typeof authorize>>) =>
  client.authorizationCodeGrant(config, new URL(location), {
    pkceCodeVerifier: verifier,
    expectedState: state,
  });

test('of concurrent uses of one code one wins, and nothing joins an ended family', async () => {
  const { location } = await authorize(visitor, config);
  const id = new URL(location).searchParams.get('code') ?? '';
  const uses = [1, 2, 3].map(() => consumeRecord(app.deps, 'AuthorizationCode', id));
  expect((await Promise.all(uses)).filter(Boolean)).toHaveLength(1);
  const { family } = await getRow(app, 'provider_records', ['family'], { id_hash: sha256(id) });
  await deleteFamily(app.deps, family ?? '');
  const token = { kind: 'AccessToken', id: 'late', family: family ?? '', payload: {}, expiresAt: LATER };
  expect(await insertRecord(app.deps, token)).toBe(false);
});

test('nothing is stored for a session or a grant that has ended', async () => {
  const record = { kind: 'SignOut', id: 'late', payload: {}, expiresAt: LATER };
  expect(await insertRecord(app.deps, { ...record, sessionId: -1 as SessionId })).toBe(false);
  expect(await insertRecord(app.deps, { ...record, grantId: -1 as GrantId })).toBe(false);
});

test('tabs that enter at once share a `sid`, and no later sign-in of their session has it (P28)', async () => {
  const { visitor: newcomer } = await founder(app);
  const sid = (await exchange(await authorize(newcomer, config))).claims()?.['sid'] as string;
  const entry = app.deps.sql.selectFrom('application_sign_ins').selectAll().where('sid', '=', sid);
  const { session_id: sessionId, user_id: userId, subject } = await entry.executeTakeFirstOrThrow();
  const grants = app.deps.sql.selectFrom('application_grants').select('id').where('user_id', '=', userId);
  const { id: grantId } = await grants.executeTakeFirstOrThrow();
  const payload = { sid: 'other', grantId: `${grantId}.other` };
  const { client_id: clientId } = config.clientMetadata();
  const code = {
    kind: 'AuthorizationCode',
    id: 'tab',
    clientId,
    sessionId,
    grantId,
    payload,
    expiresAt: LATER,
  };
  await insertCode(app.deps, code, { sid: 'other', subject, now: app.clock.now() });
  const stored = await findRecord(app.deps, 'AuthorizationCode', 'tab');
  expect(stored?.payload).toEqual({ sid, grantId: `${grantId}.${sid}` });

  await app.deps.sql.deleteFrom('application_sign_ins').execute();
  const later = await exchange(await authorize(newcomer, config));
  expect(later.claims()?.['sid']).not.toBe(sid);
});

test('each step of a sign-in takes few statements', async () => {
  let held = await exchange(await authorize(visitor, config));
  let code = await authorize(visitor, config);
  const steps = {
    authorization: async () => (code = await authorize(visitor, config)),
    exchange: async () => (held = await exchange(code)),
    refresh: () => client.refreshTokenGrant(config, held.refresh_token ?? ''),
    userinfo: () => client.fetchUserInfo(config, held.access_token, client.skipSubjectCheck),
    introspection: () => client.tokenIntrospection(config, held.access_token),
  };
  const counts: Record<string, number> = {};
  for (const [name, step] of Object.entries(steps)) counts[name] = (await queriesOf(step)).length;
  expect(counts).toEqual({ authorization: 4, exchange: 6, refresh: 4, userinfo: 4, introspection: 5 });
});

test('the sweep deletes expired records only', async () => {
  await exchange(await authorize(visitor, config));
  const records = app.deps.sql.selectFrom('provider_records').select('expires_at');
  app.clock.forward(5 * 60_000);
  const live = (await records.execute()).filter(({ expires_at: at }) => at > app.clock.now());
  await sweepRecords(app.deps);
  expect(await records.execute()).toEqual(live);
});

test('a session that ends during the request sends its application an error', async () => {
  await app.database.exclusively((script) =>
    script(`
      create function end_sessions() returns trigger language plpgsql as $$
        begin delete from sessions; return new; end $$;
      create trigger end_sessions before insert on provider_records
        for each row when (new.kind = 'AuthorizationCode') execute function end_sessions();`),
  );
  const { location } = await authorize(visitor, config);
  expect(location).toMatch(/^https:\/\/sign\.example\/callback\?error=invalid_grant&.*state=/);
});

describe('the database refuses', () => {
  test.for<[constraint: string, values: object]>([
    ['applications_redirect_urls_exact', { redirect_urls: ['http://a.example/'] }],
    ['applications_redirect_urls_exact', { redirect_urls: ['https://a.example/#x'] }],
    ['applications_redirect_urls_exact', { redirect_urls: ['https://u@a.example/'] }],
    ['applications_redirect_urls_exact', { redirect_urls: ['https://a.example/*'] }],
    ['applications_redirect_urls_exact', { redirect_urls: [CALLBACK, CALLBACK] }],
    [
      'applications_redirect_urls_exact',
      { redirect_urls: [...Array(21).keys()].map((at) => `${CALLBACK}${at}`) },
    ],
    ['applications_signed_out_urls_exact', { signed_out_urls: ['//a.example/'] }],
    ['applications_start_url_exact', { start_url: 'javascript:alert(1)' }],
    ['applications_sign_out_url_public', { sign_out_url: 'http://localhost/' }],
  ])('by %s: %j', async ([constraint, values]) => {
    const id = await (await company(app)).newApplication();
    await expect(
      app.deps.sql.updateTable('applications').set(values).where('id', '=', id).execute(),
    ).rejects.toMatchObject({ constraint });
  });
});
