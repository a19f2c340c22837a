import { createHash } from 'node:crypto';
import type { Insertable } from 'kysely';
import type { Tables } from '#server/db/tables.ts';
import { randomToken } from '#server/keys.ts';
import type { TestApp } from '#server/testing/start-app.ts';

/** Where a test's application receives codes; nothing listens there. */
export const CALLBACK = 'https://sign.example/callback';

/** Registers an application of the suite with a secret. */
export async function registerApplication(
  app: TestApp,
  more: Partial<Insertable<Tables['applications']>> = {},
) {
  const { sql, clock } = app.deps;
  const clientId = `app-${randomToken().slice(0, 12)}`;
  const secret = randomToken();
  const row = { client_id: clientId, name: 'Sign', kind: 'web', is_first_party: true } as const;
  const { id } = await sql
    .insertInto('applications')
    .values({ ...row, redirect_urls: [CALLBACK], created_at: clock.now(), ...more })
    .returning('id')
    .executeTakeFirstOrThrow();
  const secretHash = createHash('sha256').update(secret).digest();
  await sql
    .insertInto('application_secrets')
    .values({ application_id: id, secret_hash: secretHash, created_at: clock.now() })
    .execute();
  return { id, clientId, secret };
}

/** The id of an authorization request that waits for somebody to sign in. */
export async function openRequest(app: TestApp): Promise<string> {
  const { clientId } = await registerApplication(app);
  const query = new URLSearchParams({
    client_id: clientId,
    redirect_uri: CALLBACK,
    response_type: 'code',
    scope: 'openid',
    code_challenge: createHash('sha256').update('v'.repeat(43)).digest('base64url'),
    code_challenge_method: 'S256',
  });
  const response = await app.visitor().request('GET', `/oidc/auth?${query.toString()}`);
  return new URL(response.headers.get('location') ?? '').searchParams.get('request') ?? '';
}
