import { afterAll, beforeAll, expect, test } from 'vitest';
import sharp from 'sharp';
import { confirmed, type Person } from '#server/testing/people.ts';
import { organizationOf } from '#server/testing/staff.ts';
import { startApp, type TestApp } from '#server/testing/start-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp({ MAX_ORGS_PER_USER: '1000' });
});
afterAll(() => app.close());
test('smoke', async () => {
  const maya = await confirmed(app);
  const { orgId } = await organizationOf(maya);
  const png = await sharp({ create: { width: 700, height: 600, channels: 4, background: '#ff000080' } })
    .png()
    .toBuffer();
  const form = new FormData();
  form.set('file', new File([png], 'a.png'));
  form.set('permission', '1');
  form.set('org_id', String(orgId));
  form.set('icon_type', '1');
  const cookie = `portico=${maya.visitor.session}`;
  const t = performance.now();
  const r = await fetch(app.url + '/drive/appicon', { method: 'POST', body: form, headers: { cookie } });
  const j = await r.json();
  console.log(r.status, JSON.stringify(j), performance.now() - t);
  const g = await fetch(`${app.url}/drive/appicon?file_id=${j.response.file_id}&org_id=${orgId}`, {
    headers: { cookie },
  });
  console.log(g.status, [...g.headers], (await g.arrayBuffer()).byteLength);
  expect(g.status).toBe(200);
});
