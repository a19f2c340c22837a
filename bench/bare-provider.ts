import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { Provider } from 'oidc-provider';

// The library alone on node:http, with its own storage in memory, and with the features that the measured steps use. Its
// sign-in page lets a new person in at once.

const { CALLBACK = '', CLIENT_ID = '', CLIENT_SECRET = '', PORT, SCOPE = '' } = process.env;
const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const claims = { name: 'Maya Lindqvist', email: 'maya@northwind.example', email_verified: true };

const provider = new Provider(`http://127.0.0.1:${PORT}`, {
  jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), kid: 'the-key', alg: 'ES256', use: 'sig' }] },
  cookies: { keys: [randomBytes(32).toString('base64url')] },
  scopes: SCOPE.split(' '),
  claims: { openid: ['sub'], profile: ['name'], email: ['email', 'email_verified'] },
  pkce: { required: () => true },
  clients: [
    {
      client_id: CLIENT_ID,
      client_secret: CLIENT_SECRET,
      redirect_uris: [CALLBACK],
      grant_types: ['authorization_code', 'refresh_token'],
      id_token_signed_response_alg: 'ES256',
    },
  ],
  features: {
    devInteractions: { enabled: false },
    introspection: {
      enabled: true,
      allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId,
    },
  },
  ttl: {
    AccessToken: 300,
    AuthorizationCode: 60,
    Grant: 86_400,
    IdToken: 300,
    RefreshToken: 86_400,
    Session: 86_400,
  },
  issueRefreshToken: (_ctx, client) => client.grantTypeAllowed('refresh_token'),
  interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
  findAccount: (_ctx, sub) => ({ accountId: sub, claims: () => ({ sub, ...claims }) }),
});

const answer = provider.callback();
const server = createServer((request, response) => {
  const work = async () => {
    if (!request.url?.startsWith('/interaction/')) return answer(request, response);
    const accountId = randomBytes(16).toString('base64url');
    const grant = new provider.Grant({ accountId, clientId: CLIENT_ID });
    grant.addOIDCScope(SCOPE);
    const result = { login: { accountId }, consent: { grantId: await grant.save() } };
    return provider.interactionFinished(request, response, result);
  };
  work().catch((error: unknown) => response.destroy(error as Error));
});
server.listen(Number(PORT), '127.0.0.1', () => console.log('ready'));
