import { describe, expect, test } from 'vitest';
import { everyRow } from '#server/testing/every-row.ts';
import { confirmed, founder, PASSWORD } from '#server/testing/people.ts';
import { listRows } from '#server/testing/rows.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf } from '#server/testing/visitor.ts';

const app = useApp({
  SIGN_URL: 'https://sign.example/app',
  ALLOWED_REDIRECTS: 'https://partner.example:8443',
  REDIRECT_SECRETS: `https://sign.example=${'s'.repeat(24)}`,
});

const countCodes = async () => (await app.deps.sql.selectFrom('redirect_codes').selectAll().execute()).length;

describe('an address that is not registered', () => {
  test.for([
    'https://sign.example.evil.example/',
    '/\\sign.example',
    'javascript:alert(1)//https://sign.example',
    '',
  ])('%j gets no code and leads nowhere (F1, F2)', async (redirect_url) => {
    const { visitor, email } = await confirmed(app);
    const before = await countCodes();
    const body = { email_id: email, password: PASSWORD, timezone: '', redirect_url };
    expect(responseOf(await app.visitor().post('/api/signin', body))).toEqual({ mfa_enabled: 0 });
    const { url } = responseOf<{ url: string | null }>(await visitor.post('/api/redirect', { redirect_url }));
    expect(url ?? '/').toBe('/');
    expect(await countCodes()).toBe(before);
  });

  test('a code is bound to the address exactly as requested, without its fragment (F2)', async () => {
    const { visitor } = await confirmed(app);
    for (const redirect_url of ['https://sign.example/app?x=1#y', 'HTTPS://partner.example:8443'])
      expect(responseOf(await visitor.post('/api/redirect', { redirect_url }))).toMatchObject({
        url: expect.stringMatching(/[?&]code=[\w-]{43}/) as string,
      });
    const rows = await listRows(app, 'redirect_codes', ['redirect_url']);
    expect(rows.map((row) => row.redirect_url)).toEqual([
      'https://sign.example/app?x=1',
      'HTTPS://partner.example:8443',
    ]);
  });
});

test.for(['\u0000', '\n', '\u007F', '\u0085'])('an address with %j redeems nothing', async (character) => {
  const redirect_url = `https://sign.example/${character}`;
  const answer = await app.visitor().post('/api/redeem', { code: 'x', redirect_url, secret: 's'.repeat(24) });
  expect([answer.status, answer.code]).toEqual([403, 'not_allowed']);
});

test('a follow-up changes nothing and calls no other host (F3)', async () => {
  const { visitor } = await founder(app);
  const before = await everyRow(app.deps.sql);
  for (const path of [
    'sign',
    'myapps',
    'nowhere',
    '..',
    'https:%2F%2Fevil.example',
    '%2e%2e%2fuser',
    'sign?base=9',
  ]) {
    const answer = await visitor.get(`/api/next/${path}`, { 'x-base': 'https://evil.example' });
    expect(JSON.stringify(answer.body)).not.toContain('evil');
    expect(answer.status).toBeLessThan(500);
  }
  expect(await everyRow(app.deps.sql)).toEqual(before);
});
