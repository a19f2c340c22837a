import { createHash } from 'node:crypto';
import type { Page } from '@playwright/test';
import { registerApplication } from '#server/testing/applications.ts';
import { listen } from '#server/testing/providers.ts';
import type { TestApp } from '#server/testing/start-app.ts';
import { test as base } from './own-app.ts';

type Answer = Record<string, string>;
/** An application's redirect address, and the answer that it gets. */
type Callback = { readonly url: string; answer(page: Page): Promise<Answer> };

export const test = base.extend<object, { callback: Callback }>({
  callback: [
    async ({ playwright: _ }, use) => {
      const { url, close } = await listen((_request, response) => {
        response.setHeader('content-type', 'text/html');
        response.end('<!doctype html><html lang="en"><title>Sign</title><link rel="icon" href="data:," />');
      });
      const answer = async (page: Page) => {
        await page.waitForURL(`${url}/callback?**`);
        return Object.fromEntries(new URL(page.url()).searchParams);
      };
      await use({ url: `${url}/callback`, answer });
      await close();
    },
    { scope: 'worker' },
  ],
});

const challenge = createHash('sha256').update('v'.repeat(43)).digest('base64url');

type Register = Parameters<typeof registerApplication>[1];
/** Registers an application; returns its request's address. */
export async function requestOf(app: TestApp, { url }: Callback, more: Register = {}) {
  const { clientId } = await registerApplication(app, { redirect_urls: [url], ...more });
  return (extra: Answer = {}) => {
    const query = new URLSearchParams({
      client_id: clientId,
      redirect_uri: url,
      response_type: 'code',
      scope: 'openid email',
      state: 'kept',
      code_challenge: challenge,
      code_challenge_method: 'S256',
      ...extra,
    });
    return `/oidc/auth?${query.toString()}`;
  };
}
