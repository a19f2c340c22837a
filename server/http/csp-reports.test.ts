import { beforeEach, expect, test } from 'vitest';
import { MINUTE_MS } from '#server/clock.ts';
import { codeIn, raw } from '#server/testing/raw.ts';
import { useApp } from '#server/testing/use-app.ts';

const app = useApp({ TRUSTED_PROXIES: '127.0.0.1' });
beforeEach(() => app.clock.forward(MINUTE_MS));

const lastLine = () => JSON.parse(app.logLines.findLast((line) => line.includes('"report"')) ?? '{}') as Line;
type Line = { level?: number; report?: string };
const report = (type: string, body: string) =>
  raw(app.url, 'POST', '/cspreport', { headers: { 'content-type': type, origin: app.url }, body });

test.for(['application/csp-report', 'application/reports+json'])('a %s report is logged', async (type) => {
  const body = JSON.stringify({ 'csp-report': { 'violated-directive': `script-src ${type}` } });
  expect(await report(type, body)).toMatchObject({ status: 204, text: '' });
  expect(lastLine()).toMatchObject({ level: 40, report: body });
});

test('a long report is truncated, and a giant one is refused', async () => {
  expect((await report('application/csp-report', `"${'x'.repeat(8000)}"`)).status).toBe(204);
  expect(lastLine().report).toHaveLength(1000);
  expect(codeIn(await report('application/csp-report', 'x'.repeat(8193)))).toBe('payload_too_large');
});

test('a report of a page with a mailed link puts only its path into the log (C5)', async () => {
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

test('a report is one line of the log, whatever it contains', async () => {
  await report('application/csp-report', '{"a":\n"\r\n{\\"level\\":60}"}');
  expect(app.logLines.at(-2)?.trim().split('\n')).toHaveLength(1);
});

test('another site cannot report here, and JSON or plain text is not a report', async () => {
  const headers = { 'content-type': 'application/csp-report', origin: 'https://evil.example' };
  expect(codeIn(await raw(app.url, 'POST', '/cspreport', { headers, body: '{}' }))).toBe(
    'cross_site_request',
  );
  expect(codeIn(await report('text/plain', 'x'))).toBe('unsupported_media_type');
});

const lines = (what = '"report"') => app.logLines.filter((line) => line.includes(what)).length;
const from = async (address: string, times: number) => {
  const before = lines();
  for (let nth = 0; nth < times; nth += 1) {
    const headers = { 'content-type': 'application/csp-report', 'x-forwarded-for': address };
    expect((await raw(app.url, 'POST', '/cspreport', { headers, body: '{}' })).status).toBe(204);
  }
  return lines() - before;
};

test('one network has six lines a minute, shared by all addresses of a /64 (M8)', async () => {
  expect(await from('192.0.2.1', 10)).toBe(6);
  expect(await from('2001:db8::1', 4)).toBe(4);
  expect(await from('2001:db8::2', 4)).toBe(2);
  expect(await from('192.0.2.2', 1)).toBe(1);
  app.clock.forward(MINUTE_MS - 1);
  expect(await from('192.0.2.1', 1)).toBe(0);
  app.clock.forward(1);
  expect(await from('192.0.2.1', 1)).toBe(1);
});

test('all networks together have sixty lines a minute, and the log says that there were more (M8)', async () => {
  let written = 0;
  for (let nth = 1; nth <= 15; nth += 1) written += await from(`198.51.100.${nth}`, 5);
  expect([written, lines('more reports of this minute')]).toEqual([60, 1]);
  expect(await app.deps.metrics.text()).toMatch(/portico_limited_total{limit="reports"} \d{2}/);
});
