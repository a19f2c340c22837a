import { readFileSync } from 'node:fs';
import { registerApplication } from '#server/testing/applications.ts';
import { exampleRegistration, writeExample } from '#server/testing/documented.ts';
import { founder } from '#server/testing/people.ts';
import { freePort } from '#server/testing/ports.ts';
import { listen } from '#server/testing/providers.ts';
import type { TestApp } from '#server/testing/start-app.ts';
import { expect } from './fixtures.ts';
import { test } from './own-app.ts';

const library = readFileSync(
  new URL('../browser/oidc-client-ts.min.js', import.meta.resolve('oidc-client-ts')),
);

/** Serves the documented application for a browser on an origin of its own. */
async function serveExample(app: TestApp) {
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const { clientId } = await registerApplication(app, exampleRegistration('Browser only', url));
  const example = writeExample('index.html', {
    'https://accounts.example.com': app.url,
    CLIENT_ID: clientId,
  });
  const files = new Map<string, [string, string | Buffer]>([
    ['/', ['text/html', example.text]],
    ['/oidc-client-ts.min.js', ['text/javascript', library]],
    ['/signed-out.html', ['text/html', 'You are signed out.']],
  ]);
  example.remove();
  const { close } = await listen((request, response) => {
    const [type, text] = files.get(new URL(request.url ?? '/', url).pathname) ?? [];
    response.writeHead(text === undefined ? 404 : 200, { 'content-type': type }).end(text);
  }, port);
  return { url, close };
}

test('the browser example signs in, refreshes its token and signs out', async ({ page, app, context }) => {
  const { visitor } = await founder(app, 'Northwind');
  await context.addCookies([...visitor.cookies].map(([name, value]) => ({ name, value, url: app.url })));
  const example = await serveExample(app);

  await page.goto(example.url);
  await page.getByRole('button', { name: 'Allow' }).click();
  const person = page.getByText('Maya Lindqvist, Super Admin of Northwind');
  await expect(person).toBeVisible();
  expect(page.url()).toBe(`${example.url}/`);

  const refresh = page.waitForResponse(`${app.url}/oidc/token`);
  await page.clock.fastForward('04:30');
  expect((await refresh).status()).toBe(200);
  await page.reload();
  await expect(person).toBeVisible();

  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.waitForURL(`${app.url}/signout?*`);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect(page).toHaveURL(/signed-out\.html/);
  expect((await visitor.get('/api/user')).code).toBe('not_signed_in');
  await example.close();
});
