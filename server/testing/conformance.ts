import { createHash } from 'node:crypto';
import { CALLBACK, discover, registerApplication } from '#server/testing/applications.ts';
import { founder } from '#server/testing/people.ts';
import type { TestApp } from '#server/testing/start-app.ts';

export const VERIFIER = 'v'.repeat(43);

/** A signed-in person, an application and its plain authorization request. */
export async function openSetting(app: TestApp, more: Parameters<typeof registerApplication>[1] = {}) {
  const { visitor } = await founder(app, 'Conform');
  const application = await registerApplication(app, more);
  const request = {
    client_id: application.clientId,
    redirect_uri: CALLBACK,
    response_type: 'code',
    scope: 'openid',
    state: 'the state',
    code_challenge: createHash('sha256').update(VERIFIER).digest('base64url'),
    code_challenge_method: 'S256',
  };
  return { visitor, application, request, config: await discover(app, application) };
}
export type Setting = Awaited<ReturnType<typeof openSetting>>;

/** Sends a person to the authorization endpoint; returns where the browser goes on. */
export async function askFor(app: TestApp, { visitor, request }: Setting, more: Record<string, string> = {}) {
  const query = new URLSearchParams({ ...request, ...more }).toString();
  const response = await visitor.request('GET', `/oidc/auth?${query}`);
  return new URL(response.headers.get('location') ?? '', app.url);
}

export const answerOf = (url: URL) => Object.fromEntries(url.searchParams);
export const errorOf = (url: URL) => url.searchParams.get('error');
export const isAtCallback = (url: URL) => url.href.startsWith(`${CALLBACK}?`);
