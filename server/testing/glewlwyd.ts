import { spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { freePort } from './ports.ts';
import { findProgram } from './programs.ts';
import { ProviderBrowser } from './provider-browser.ts';
import { SOCIAL_CLIENT } from './providers.ts';

const SCHEMA = '/usr/share/dbconfig-common/data/glewlwyd/install/sqlite3';
const MODULES = '/usr/lib/glewlwyd';
const SCOPES = ['openid', 'email', 'profile'];

const settingsFor = (folder: string, port: number) => `
port=${port}
bind_address="127.0.0.1"
external_url="http://localhost:${port}"
login_url="login.html"
api_prefix="api"
log_mode="console"
log_level="INFO"
cookie_secure=0
session_key="SESSION"
admin_scope="g_admin"
profile_scope="g_profile"
user_module_path="${MODULES}/user"
client_module_path="${MODULES}/client"
user_auth_scheme_module_path="${MODULES}/scheme"
plugin_module_path="${MODULES}/plugin"
hash_algorithm="SHA256"
database = { type="sqlite3"; path="${folder}/database" }
`;

const signIn = (browser: ProviderBrowser, username: string, password: string) =>
  browser.request('POST', '/api/auth/', { username, password });

/** Starts a Glewlwyd, an OpenID Provider in C, that knows the portal as a client. */
export async function startGlewlwyd(redirectUrl: string, logoutUrl: string) {
  const folder = mkdtempSync(path.join(tmpdir(), 'portico-glewlwyd-'));
  const database = new DatabaseSync(path.join(folder, 'database'));
  database.exec(readFileSync(SCHEMA, 'utf8'));
  database.close();
  const port = await freePort();
  const settings = path.join(folder, 'settings');
  writeFileSync(settings, settingsFor(folder, port));
  const child = spawn(findProgram('glewlwyd') ?? 'glewlwyd', ['-c', settings], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const { promise: isUp, resolve, reject } = Promise.withResolvers<void>();
  child.stdout
    .setEncoding('utf8')
    .on('data', (text: string) => text.includes('Glewlwyd started') && resolve())
    .once('close', () => reject(new Error('Glewlwyd did not start')));
  await isUp;
  const origin = `http://localhost:${port}`;
  const issuer = `${origin}/api/oidc`;
  const admin = new ProviderBrowser(origin);
  await signIn(admin, 'admin', 'password');
  for (const name of SCOPES.slice(1))
    await admin.request('POST', '/api/scope/', { name, display_name: name, password_required: false });
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  await admin.request('POST', '/api/mod/plugin/', {
    module: 'oidc',
    name: 'oidc',
    display_name: 'OpenID Connect',
    parameters: {
      iss: issuer,
      'jwt-type': 'rsa',
      'jwt-key-size': '256',
      key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
      cert: publicKey.export({ type: 'spki', format: 'pem' }),
      'access-token-duration': 3600,
      'refresh-token-duration': 3600,
      'code-duration': 600,
      'auth-type-code-enabled': true,
      'jwks-show': true,
      'pkce-allowed': true,
      'subject-type': 'public',
      'session-management-allowed': true,
      'back-channel-logout-allowed': true,
      'session-cookie-name': 'OIDC',
      'session-cookie-expiration': 3600,
      'name-claim': 'mandatory',
      'email-claim': 'mandatory',
    },
  });
  await admin.request('POST', '/api/client/?source=database', {
    client_id: SOCIAL_CLIENT.id,
    client_secret: SOCIAL_CLIENT.secret,
    name: 'Portico',
    enabled: true,
    confidential: true,
    redirect_uri: [redirectUrl],
    backchannel_logout_uri: logoutUrl,
    authorization_type: ['code'],
    token_endpoint_auth_method: ['client_secret_basic', 'client_secret_post'],
  });
  return {
    issuer,
    clientId: SOCIAL_CLIENT.id,
    secret: SOCIAL_CLIENT.secret,
    /** Adds a person, who lets the portal know their name and address; returns their browser. */
    async person(username: string, email: string): Promise<ProviderBrowser> {
      const password = 'sturdy arch 42';
      const known = { username, password, email, name: 'Ann Lee', enabled: true };
      await admin.request('POST', '/api/user/?source=database', {
        ...known,
        scope: [...SCOPES, 'g_profile'],
      });
      const browser = new ProviderBrowser(origin);
      await signIn(browser, username, password);
      await browser.request('PUT', `/api/auth/grant/${SOCIAL_CLIENT.id}`, { scope: SCOPES.join(' ') });
      return browser;
    },
    async close() {
      const exit = child.exitCode === null ? once(child, 'exit') : undefined;
      child.kill();
      await exit;
      rmSync(folder, { recursive: true });
    },
  };
}
