import { afterAll, beforeAll, expect, test } from 'vitest';
import { codeIn, raw } from '#server/testing/raw.ts';
import { startApp, type TestApp } from '#server/testing/start-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const lastLine = () => JSON.parse(app.logLines.findLast((line) => line.includes('"report"')) ?? '{}') as Line;
type Line = { level?: number; report?: string };
const report = (type: string, body: string) =>
  raw(app.url, 'POST', '/cspreport', { headers: { 'content-type': type, origin: app.url }, body });

test.for(['/healthz', '/readyz'])('%s answers that all is well, in the envelope', async (path) => {
  await expect
    .poll(() => raw(app.url, 'GET', path))
    .toMatchObject({ status: 200, text: '{"success":true,"response":{}}' });
});

test('/readyz says no while the process does not get round to things, and yes when it does again (L12)', async () => {
  const askWhenBusy = async () => {
    const blockedUntil = performance.now() + 2000;
    while (performance.now() < blockedUntil);
    const busy = await raw(app.url, 'GET', '/readyz');
    return [busy.status, codeIn(busy)];
  };
  // Who is slow to ask comes when all is well again.
  await expect.poll(askWhenBusy, { timeout: 30_000 }).toEqual([503, 'unavailable']);
  expect((await raw(app.url, 'GET', '/healthz')).status).toBe(200);
  await expect.poll(async () => (await raw(app.url, 'GET', '/readyz')).status).toBe(200);
});

test.for(['application/csp-report', 'application/reports+json'])('a %s goes to the log', async (type) => {
  const said = JSON.stringify({ 'csp-report': { 'violated-directive': `script-src ${type}` } });
  expect(await report(type, said)).toMatchObject({ status: 204, text: '' });
  expect(lastLine()).toMatchObject({ level: 40, report: said });
});

test('a long report is cut short, a giant one refused', async () => {
  expect((await report('application/csp-report', `"${'x'.repeat(8000)}"`)).status).toBe(204);
  expect(lastLine().report).toHaveLength(1000);
  expect(codeIn(await report('application/csp-report', 'x'.repeat(8193)))).toBe('payload_too_large');
});

test('a report of a page with a one-time link tells the log its path only (C5)', async () => {
  const digest = 'Zm9yIG5vYm9keSBlbHNl';
  const page = `${app.url}/resetpassword?digest=${digest}`;
  await report(
    'application/csp-report',
    JSON.stringify({ 'csp-report': { 'document-uri': page, 'blocked-uri': `${page}&a=1`, referrer: page } }),
  );
  expect(lastLine().report).toContain(`"document-uri":"${app.url}/resetpassword"`);
  expect(lastLine().report).toContain(`"blocked-uri":"${app.url}/resetpassword","referrer"`);
  expect(app.logLines.join('')).not.toContain(digest);
});

test('a report is one line of the log whatever it holds', async () => {
  await report('application/csp-report', '{"a":\n"\r\n{\\"level\\":60}"}');
  expect(app.logLines.at(-2)?.trim().split('\n')).toHaveLength(1);
});

test('another site reports nothing here, and JSON or a text is no report', async () => {
  const headers = { 'content-type': 'application/csp-report', origin: 'https://evil.example' };
  expect(codeIn(await raw(app.url, 'POST', '/cspreport', { headers, body: '{}' }))).toBe(
    'cross_site_request',
  );
  expect(codeIn(await report('text/plain', 'x'))).toBe('unsupported_media_type');
});

test('draining, /readyz says no while every call is answered, on connections that end', async () => {
  const leaving = await startApp();
  leaving.drain();
  expect((await raw(leaving.url, 'GET', '/readyz')).status).toBe(503);
  const answer = await raw(leaving.url, 'GET', '/api/ustat', { headers: { connection: 'keep-alive' } });
  expect([answer.status, answer.headers.connection]).toEqual([200, 'close']);
  await leaving.close();
});
