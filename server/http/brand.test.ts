import { createHash } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { strFromU8 } from 'fflate';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PRODUCT_NAME } from '#contract/limits.ts';
import { product } from '#contract/product.ts';
import { brandHead } from '#server/brand/serve.ts';
import { MINUTE_MS } from '#server/clock.ts';
import { downloadOf } from '#server/testing/archives.ts';
import { brandFolder, hostileSvg, northwind } from '#server/testing/brands.ts';
import { confirmed, signedUp } from '#server/testing/people.ts';
import { raw } from '#server/testing/raw.ts';
import { startApp, type TestApp } from '#server/testing/start-app.ts';
import { responseOf } from '#server/testing/visitor.ts';
import { fakeWebApp } from '#server/testing/web-app.ts';

const webApp = fakeWebApp();
const folder = brandFolder(northwind, { 'logo-light.svg': hostileSvg });
let app: TestApp;
beforeAll(async () => {
  app = await startApp({ BRAND_DIR: folder, LANGUAGES: 'en,de' }, webApp);
});
afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true });
  rmSync(webApp, { recursive: true });
});

const get = (path: string, headers: Record<string, string> = {}) => raw(app.url, 'GET', path, { headers });
const logoOf = (text: string) => /\/brand\/[0-9a-f]{16}\/logo-light\.svg/.exec(text)?.[0] ?? '';
const change = (description: unknown) => {
  brandFolder(description, {}, folder);
  app.clock.forward(MINUTE_MS);
};

test('a page shows the brand, and its policy takes the one style of it', async () => {
  const { text, headers } = await get('/login', { 'accept-language': 'de' });
  expect(text).toContain('"line":"Behind one door."');
  const [, style = ''] = /<style>(.*?)<\/style><\/head>/.exec(text) ?? [];
  expect(style).toMatch(/^html:root\{--accent:light-dark\(/);
  expect(style.length).toBeLessThan(560);
  const hash = createHash('sha256').update(style).digest('base64');
  expect(headers['content-security-policy']).toContain(`style-src 'self' 'sha256-${hash}';`);
  const area = await get('/northwind/myapps');
  expect(area.text).toContain('"name":"Northwind ID"');
  expect(logoOf(area.text)).not.toBe('');
});

test('the style of a brand names classes that exist', () => {
  for (const [sheet, name] of [
    ['ui/porch', 'porch'],
    ['organizations/doorway', 'doorway'],
  ] as const) {
    const file = new URL(`../../web/${sheet}.module.css`, import.meta.url);
    expect(readFileSync(file, 'utf8')).toContain(`.${name} {`);
    expect(brandHead().style).toContain(`.${name}-${name}`);
  }
});

test('a hostile picture is a file without rights (E2)', async () => {
  const { headers, text } = await get(logoOf((await get('/login')).text));
  expect(text).toBe(hostileSvg);
  expect(headers).toMatchObject({
    'content-type': 'image/svg+xml',
    'content-security-policy': "default-src 'none'; sandbox",
    'cache-control': 'public, max-age=31536000, immutable',
    'x-content-type-options': 'nosniff',
  });
  expect((await get('/brand/0123456789abcdef/logo-light.svg')).status).toBe(404);
});

test('mails, the guide to the API and OpenID discovery name the brand', async () => {
  const { email } = await signedUp(app);
  const [mail] = await app.mails(email);
  expect(mail?.from.name).toBe('Northwind accounts');
  expect(mail?.text).toContain('Welcome to Northwind ID.');
  expect(mail?.text).toContain('Northwind AB & Co\n\nTerms: https://northwind.example/terms');
  expect(mail?.html).toContain('<a href="https://northwind.example/p"');
  expect(mail?.html).not.toMatch(/#00665e|portico is/i);
  expect((await get('/api/docs')).text).toContain('<h1>Northwind ID API</h1>');
  expect(JSON.parse((await get('/.well-known/openid-configuration')).text)).toMatchObject({
    op_policy_uri: 'https://northwind.example/p',
    op_tos_uri: 'https://northwind.example/terms',
  });
});

test('ways in and archives bear the name', async () => {
  const person = await confirmed(app);
  const { visitor } = person;
  const { link } = responseOf<{ link: string }>(await visitor.post('/api/authenticator/setup', {}));
  expect(new URL(link).searchParams.get('issuer')).toBe('Northwind ID');
  expect(decodeURIComponent(link)).toContain('/Northwind ID:');
  const { options } = responseOf<{ options: { rp: { name: string } } }>(
    await visitor.post('/api/passkeys/options', {}),
  );
  expect(options.rp.name).toBe('Northwind ID');
  const { fileName, files } = await downloadOf(app, person);
  expect(fileName).toMatch(/^northwind-id-[\d-]+\.zip$/);
  const contents = Object.entries(files).map(([name, bytes]) => name + strFromU8(bytes));
  expect(contents.filter((content) => content.includes(PRODUCT_NAME))).toEqual([]);
});

test('a changed folder shows within a minute, and a wrong one never', async () => {
  const before = (await get('/login')).text;
  change({ name: 'Contoso' });
  const shown = async () => (await get('/login')).text.includes('Contoso');
  await expect.poll(shown).toBe(true);
  expect((await get(logoOf(before))).status).toBe(200);
  writeFileSync(`${folder}/logo.svg`, hostileSvg);
  change({ name: 'Wrong' });
  const told = () => app.logLines.filter((line) => line.includes('logo.svg is unknown')).length;
  await expect.poll(async () => [await shown(), told()]).toEqual([true, 1]);
  app.clock.forward(MINUTE_MS);
  expect(await shown()).toBe(true);
  rmSync(`${folder}/logo.svg`);
  change({ name: 'Contoso', color: 'red' });
  await expect
    .poll(async () => [await shown(), app.logLines.join().includes('color is unknown')])
    .toEqual([true, true]);
  // Another process shows this brand already, so a page names its file.
  writeFileSync(`${folder}/logo-dark.svg`, `${hostileSvg}<!-- new -->`);
  brandFolder({ name: 'Fabrikam' }, {}, folder);
  app.clock.forward(1000);
  const hash = createHash('sha256').update(`${hostileSvg}<!-- new -->`).digest('hex').slice(0, 16);
  expect((await get(`/brand/${hash}/logo-dark.svg`)).status).toBe(200);
  expect(product.name).toBe('Fabrikam');
  expect(told()).toBe(1);
});

test('the portal does not start with a wrong folder', async () => {
  const wrong = brandFolder({ name: '' });
  await expect(startApp({ BRAND_DIR: wrong }, webApp)).rejects.toThrow('BRAND_DIR: brand.json name: got ""');
  rmSync(wrong, { recursive: true });
});
