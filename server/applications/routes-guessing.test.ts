import { expect, test, vi } from 'vitest';
import { refuse } from '#contract/errors.ts';
import { CALLBACK, registerApplication, VERIFIER } from '#server/testing/applications.ts';
import { startPublicApp } from '#server/testing/public-app.ts';
import { raw } from '#server/testing/raw.ts';
import { useServer } from '#server/testing/use-app.ts';

const app = useServer(startPublicApp);

type Application = Awaited<ReturnType<typeof registerApplication>>;

/** Posts an application's id and secret from an IP address. */
function post(from: string, path: string, { clientId, secret }: Pick<Application, 'clientId' | 'secret'>) {
  const headers = {
    host: 'accounts.example',
    'content-type': 'application/x-www-form-urlencoded',
    'x-forwarded-for': from,
  };
  const form = { client_id: clientId, client_secret: secret, token: 'x', grant_type: 'client_credentials' };
  const body = new URLSearchParams(form).toString();
  return raw(`http://127.0.0.1:${app.deps.config.port}`, 'POST', path, { headers, body });
}

test.for(['/oidc/token', '/oidc/introspection', '/oidc/revocation', '/oidc/par'])(
  'after thirty wrong secrets at %s, that network may send no further one for an hour; a right one passes (P9)',
  async (path) => {
    const application = await registerApplication(app, { kind: 'server', redirect_urls: [] });
    const wrong = { ...application, secret: 'wrong' };
    for (let tries = 0; tries < 30; tries += 1)
      expect((await post('203.0.113.7', path, wrong)).status).toBe(401);
    const refused = await post('203.0.113.7', path, wrong);
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '3600']);
    expect(JSON.parse(refused.text)).toMatchObject({ error: 'too_many_requests' });
    expect(app.logLines.join('')).toContain('"limit":"wrongSecretsHour"');
    expect((await post('203.0.113.8', path, wrong)).status).toBe(401);

    expect((await post('203.0.113.7', '/oidc/token', application)).status).toBe(200);
    app.clock.forward(3_600_000);
    expect((await post('203.0.113.7', path, wrong)).status).toBe(401);
  },
);

test('a network that opens too many requests is refused, and nothing more is stored', async () => {
  const { clientId } = await registerApplication(app, { kind: 'single-page' });
  const request = new URLSearchParams({
    client_id: clientId,
    redirect_uri: CALLBACK,
    response_type: 'code',
    code_challenge: VERIFIER,
    code_challenge_method: 'S256',
    scope: 'openid',
  }).toString();
  const take = vi
    .spyOn(app.deps.limiter, 'take')
    .mockImplementation(async (name) =>
      name === 'openRequestsHour'
        ? refuse('too_many_requests', { limit: name, retryAfterSeconds: 60 })
        : undefined,
    );
  const headers = { host: 'accounts.example', 'content-type': 'application/x-www-form-urlencoded' };
  const local = `http://127.0.0.1:${app.deps.config.port}`;
  const sending = { headers, body: request };
  const asked = await raw(local, 'GET', `/oidc/auth?${request}`, { headers });
  expect(asked.headers.location).toContain(`${CALLBACK}?error=temporarily_unavailable`);
  const posted = await raw(local, 'POST', '/oidc/auth', sending);
  expect(posted.headers.location).toContain('/authorize?error=temporarily_unavailable');
  expect((await raw(local, 'POST', '/oidc/par', sending)).status).toBe(429);
  take.mockRestore();
  const kinds = ['Interaction', 'PostedForm', 'PushedAuthorizationRequest'];
  const rows = app.deps.sql.selectFrom('provider_records').select('kind').where('kind', 'in', kinds);
  expect(await rows.execute()).toEqual([]);
});
