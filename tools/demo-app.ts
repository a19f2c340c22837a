// Signs people in through the portal, as docs/applications.md shows: `npm run demo-app` after `npm run seed`.
import { randomBytes } from 'node:crypto';
import express, { type ErrorRequestHandler, type Response } from 'express';
import openid from 'express-openid-connect';
import { services } from '#contract/roles/permissions.ts';
import { readConfig } from '#server/config.ts';
import { escapeHtml } from '#server/html.ts';
import { readSettings } from './demo-app-settings.ts';

type Rights = Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, boolean>>>>>>;
type Person = { name?: string; email?: string; org_name?: string; role?: string; permissions?: Rights };

// Where the portal runs now, which may not be where it was seeded.
const config = readConfig(process.env);
const portal = config.publicUrl.origin;
const settings = readSettings(config);
if (!settings) throw new Error('No demonstration application is registered: run npm run seed first.');
const { url, client_id: clientID, client_secret: clientSecret } = settings;

const style = `:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
  main { max-width: 480px; margin: 10vh auto; padding: 32px; border: 1px solid; border-radius: 16px }
  dl { display: grid; grid-template-columns: max-content 1fr; gap: 4px 16px } dd { margin: 0 }
  table { margin-bottom: 24px } caption, th { text-align: start } th { padding-inline-end: 16px; font-weight: 400 }`;
const script = `const events = new EventSource('/events');
  events.addEventListener('signed-out', () => {
    events.close();
    document.querySelector('main').replaceChildren(document.querySelector('template').content.cloneNode(true));
  });`;
const message = (title: string, text: string, action = 'Sign in') =>
  `<h1>${title}</h1><p>${escapeHtml(text)}</p><a href="/login">${action}</a>`;
const signedOut = message('You were signed out', 'Your session in the portal has ended.', 'Sign in again');

function send(response: Response, body: string, isLive = false) {
  const nonce = randomBytes(16).toString('base64url');
  const live = `<template>${signedOut}</template><script nonce="${nonce}">${script}</script>`;
  const policy = `default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'; connect-src 'self'`;
  const bounds = `form-action 'self' ${portal}; frame-ancestors 'none'; base-uri 'none'`;
  response.set({ 'cache-control': 'no-store', 'content-security-policy': `${policy}; ${bounds}` });
  response.send(`<!doctype html><html lang="en"><meta name="viewport" content="width=device-width">
<title>Demonstration application</title><style nonce="${nonce}">${style}</style>
<main aria-live="polite">${body}</main>${isLive ? live : ''}</html>`);
}

/** A module that this application does not know keeps its number. */
function moduleName(service: string, module: string): string {
  const known: Readonly<Record<string, { readonly modules: Readonly<Record<string, string>> }>> = services;
  return known[service]?.modules[module] ?? `${service} ${module}`;
}

function describe({ name = '', email = '', org_name = 'None', role = 'None', permissions = {} }: Person) {
  const rows = Object.entries(permissions).flatMap(([service, modules]) =>
    Object.entries(modules).map(([module, rights]) => {
      const granted = Object.keys(rights).filter((right) => rights[right]);
      return `<tr><th scope="row">${escapeHtml(moduleName(service, module))}</th>
        <td>${escapeHtml(granted.join(', ') || 'none')}</td></tr>`;
    }),
  );
  return `<h1>${escapeHtml(name)}</h1><p>${escapeHtml(email)}</p>
    <dl><dt>Organization</dt><dd>${escapeHtml(org_name)}</dd><dt>Role</dt><dd>${escapeHtml(role)}</dd></dl>
    <table><caption>Rights</caption>${rows.join('')}</table><form action="/logout"><button>Sign out</button></form>`;
}

/** Sessions that the portal has ended, and the open pages of the others. */
const endedSessions = new Set<unknown>();
const pages = new Map<unknown, Set<Response>>();
const tellEnd = (page: Response) => page.end('event: signed-out\ndata: \n\n');

const app = express();
app.use(
  openid.auth({
    issuerBaseURL: portal,
    baseURL: url,
    clientID,
    clientSecret,
    clientAuthMethod: 'client_secret_basic',
    secret: randomBytes(32).toString('base64url'),
    idTokenSigningAlg: 'ES256',
    authorizationParams: { response_type: 'code', scope: 'openid profile email organization' },
    authRequired: false,
    idpLogout: true,
    backchannelLogout: {
      onLogin: false,
      onLogoutToken: (token) => {
        const { sid } = token as { sid: string };
        endedSessions.add(sid);
        pages.get(sid)?.forEach(tellEnd);
      },
      isLoggedOut: ({ oidc }) => endedSessions.has(oidc.idTokenClaims?.['sid']),
    },
  }),
);

app.get('/', async ({ oidc }, response) => {
  if (!oidc.isAuthenticated())
    return send(response, message('Demonstration application', 'You are not signed in here.'));
  if (oidc.accessToken?.isExpired()) await oidc.accessToken.refresh();
  return send(response, describe(await oidc.fetchUserInfo()), true);
});

app.get('/events', ({ oidc }, response) => {
  response.set({ 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  // The session may have ended before the page opened this connection.
  if (!oidc.isAuthenticated()) return tellEnd(response);
  response.flushHeaders();
  const sid = oidc.idTokenClaims?.['sid'];
  pages.set(sid, (pages.get(sid) ?? new Set()).add(response));
  return response.once('close', () => pages.get(sid)?.delete(response));
});

const tellProblem: ErrorRequestHandler = ({ message: text }: Error, _request, response, _next) =>
  send(response.status(502), message('That did not work', text, 'Try again'));
app.use(tellProblem);

app.listen(Number(new URL(url).port), '127.0.0.1', () =>
  console.log(`The demonstration application is ready: ${url} (portal: ${portal})`),
);
