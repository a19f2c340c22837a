import * as client from 'openid-client';
import { beforeAll, expect, test } from 'vitest';
import { sweepRecords } from '#server/applications/records/data.ts';
import { authorize, discover, registerApplication } from '#server/testing/applications.ts';
import { founder } from '#server/testing/people.ts';
import { queriesOf } from '#server/testing/queries.ts';
import { useApp } from '#server/testing/use-app.ts';
import type { Visitor } from '#server/testing/visitor.ts';

const app = useApp();
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

test('of two concurrent exchanges of one code, one wins', async () => {
  const code = await authorize(visitor, config);
  const outcomes = await Promise.allSettled([exchange(code), exchange(code)]);
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: { error: 'invalid_grant', status: 400 },
  });
});

test('the losing exchange leaves no token behind', async () => {
  const code = await authorize(visitor, config);
  const count = async () => {
    const tokens = app.deps.sql.selectFrom('provider_records').where('kind', '=', 'AccessToken');
    return (await tokens.select('kind').execute()).length;
  };
  const before = await count();
  await Promise.allSettled([exchange(code), exchange(code)]);
  expect(await count()).toBe(before + 1);
});

test('each step of a sign-in takes few statements', async () => {
  let tokens = await exchange(await authorize(visitor, config));
  let code = await authorize(visitor, config);
  const steps = {
    authorization: async () => (code = await authorize(visitor, config)),
    exchange: async () => (tokens = await exchange(code)),
    refresh: () => client.refreshTokenGrant(config, tokens.refresh_token ?? ''),
    userinfo: () => client.fetchUserInfo(config, tokens.access_token, client.skipSubjectCheck),
    introspection: () => client.tokenIntrospection(config, tokens.access_token),
  };
  const counts: Record<string, number> = {};
  for (const [name, step] of Object.entries(steps)) counts[name] = (await queriesOf(step)).length;
  expect(counts).toEqual({ authorization: 4, exchange: 2, refresh: 2, userinfo: 1, introspection: 1 });
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
