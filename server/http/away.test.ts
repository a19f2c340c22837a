import { rmSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { founder, PASSWORD } from '#server/testing/people.ts';
import { raw } from '#server/testing/raw.ts';
import { startApp } from '#server/testing/start-app.ts';
import { fakeWebApp } from '#server/testing/web-app.ts';

const webApp = fakeWebApp();
afterAll(() => rmSync(webApp, { recursive: true }));

test('without its database the portal refuses fast, stays alive and shows the public pages', async () => {
  const app = await startApp({}, webApp);
  const { visitor, email } = await founder(app);
  await expect.poll(async () => (await raw(app.url, 'GET', '/readyz')).status).toBe(200);
  await app.database.cut();

  const calls = [
    () => visitor.get('/api/init'),
    () => visitor.get('/api/ustat'),
    () => visitor.put('/api/user', { first_name: 'Maja' }),
    () => visitor.post('/api/signin', { email_id: email, password: PASSWORD, timezone: 'UTC' }),
    () => visitor.post('/api/verifyemail/resend', { email_id: email }),
    () => visitor.get('/readyz'),
  ];
  for (const call of calls) {
    const tookMs: number[] = [];
    for (let round = 0; round < 3; round += 1) {
      const started = performance.now();
      const answer = await call();
      expect({ status: answer.status, code: answer.code }).toEqual({ status: 503, code: 'unavailable' });
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(answer.headers.get('x-request-id')).toBeTruthy();
      tookMs.push(performance.now() - started);
    }
    // A busy machine may delay one of them.
    expect(Math.min(...tookMs)).toBeLessThan(2500);
    expect(Math.max(...tookMs)).toBeLessThan(8000);
  }
  for (const path of ['/healthz', '/', '/login', '/7/myprofile', '/assets/area-1a2b.js']) {
    const { status } = await raw(app.url, 'GET', path);
    expect({ path, status }).toEqual({ path, status: 200 });
  }
  // Nobody can check the cookie now, so the area opens and asks again itself.
  const home = await visitor.request('GET', '/');
  expect(await home.text()).toContain('<title>area</title>');
  expect(app.logLines.filter((line) => line.includes('"level":50'))).toEqual([]);
  await app.close();
});
