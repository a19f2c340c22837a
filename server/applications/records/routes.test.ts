import * as client from 'openid-client';
import { beforeAll, expect, test } from 'vitest';
import { authorize, discover, registerApplication } from '#server/testing/applications.ts';
import { founder } from '#server/testing/people.ts';
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

test('a session that ends during the request sends the browser to the page of the error', async () => {
  await app.database.exclusively((script) =>
    script(`
      create function end_sessions() returns trigger language plpgsql as $$
        begin delete from sessions; return new; end $$;
      create trigger end_sessions before insert on provider_records
        for each row when (new.kind = 'AuthorizationCode') execute function end_sessions();`),
  );
  const { location } = await authorize(visitor, config);
  expect(location).toMatch(new RegExp(`^${app.url}/authorize\\?error=invalid_grant&reference=[0-9a-f]{12}$`));
});
