import { beforeAll, beforeEach, expect, test } from 'vitest';
import { DAY_MS } from '#server/clock.ts';
import { sweepImages } from '#server/drive/jobs.ts';
import { company, type Company, type Worker } from '#server/testing/company.ts';
import { ask, CALLBACK, discover, enter } from '#server/testing/applications.ts';
import { skipDrawing, storedFiles, tinyPng } from '#server/testing/icons.ts';
import { updateRows } from '#server/testing/rows.ts';
import { activityOf } from '#server/testing/staff.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf } from '#server/testing/visitor.ts';

const app = useApp();
beforeAll(() => skipDrawing(app));

type Own = { id: number; client_id: string; icon: string | null };
let org: Company;
let boss: Worker;
let books: Own & { secret: string };
beforeEach(async () => {
  org = await company(app);
  boss = await org.join('superAdmin');
  const { application, secret } = responseOf<{ application: Own; secret: string }>(
    await boss.visitor.post('/api/applications', {
      org_id: org.orgId,
      name: 'Books',
      kind: 'web',
      description: '',
      start_url: '',
      redirect_urls: [CALLBACK],
      signed_out_urls: [],
      sign_out_url: '',
      is_for_everyone: 1,
      role_ids: [],
    }),
  );
  books = { ...application, secret };
});

function upload(who: Worker, id = books.id, bytes: Uint8Array<ArrayBuffer> = new Uint8Array(tinyPng)) {
  const form = new FormData();
  form.set('permission', '1');
  form.set('org_id', String(org.orgId));
  form.set('application_id', String(id));
  form.set('file', new File([bytes], 'icon.png', { type: 'image/png' }));
  return who.visitor.send('POST', '/drive/applicationicon', { raw: form });
}
const fileOf = (icon: string | null) => icon?.split('=')[1] ?? '';

test('everybody sees an icon that a Super Admin uploads, wherever the application is shown', async () => {
  expect(books.icon).toBeNull();
  const { icon } = responseOf<Own>(await upload(boss));
  const picture = await app.visitor().request('GET', icon ?? '');
  expect(picture.headers.get('content-type')).toBe('image/png');
  expect(Buffer.from(await picture.arrayBuffer())).toEqual(tinyPng);

  const [listed] = responseOf<Own[]>(await boss.visitor.get(`/api/applications?org_id=${org.orgId}`));
  expect(listed?.icon).toBe(icon);
  const credentials = { clientId: books.client_id, secret: books.secret };
  const config = await discover(app, credentials);
  await enter(boss.visitor, config);
  const [connected] = responseOf<Own[]>(await boss.visitor.get('/api/applications/connected'));
  expect(connected?.icon).toBe(icon);
  const request = {
    client_id: books.client_id,
    redirect_uri: CALLBACK,
    response_type: 'code',
    scope: 'openid',
    state: 'kept',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
  };
  const page = await ask(
    { app, visitor: boss.visitor, application: { id: books.id as never, ...credentials }, request, config },
    { prompt: 'select_account' },
  );
  const id = page.searchParams.get('request');
  expect(responseOf(await boss.visitor.get(`/api/authorization?request=${id}`))).toMatchObject({
    application: { name: 'Books', icon },
  });
});

test('a second icon replaces the first one and can be removed; both files are deleted', async () => {
  const first = responseOf<Own>(await upload(boss)).icon;
  const second = responseOf<Own>(await upload(boss)).icon;
  expect(second).not.toBe(first);
  expect((await app.visitor().get(first ?? '')).code).toBe('file_not_found');
  await app.mails();
  app.clock.forward(2 * DAY_MS);
  await sweepImages(app.deps);
  expect(storedFiles(app)).not.toContain(fileOf(first));
  expect(storedFiles(app)).toContain(fileOf(second));
  expect((await activityOf(app, org.orgId))[0]).toMatchObject({
    information: { application: 'Books', icon: [fileOf(first), fileOf(second)] },
  });
  const proven = { authenticated_at: app.clock.now() };
  await updateRows(app, 'sessions', { user_id: boss.id }, proven);
  const removal = { org_id: org.orgId, application_id: books.id, removes_icon: 1 };
  expect(responseOf<Own>(await boss.visitor.put('/api/applications', removal)).icon).toBeNull();
  expect((await boss.visitor.put('/api/applications', removal)).code).toBe('no_changes');
  expect((await activityOf(app, org.orgId))[0]).toMatchObject({
    information: { application: 'Books', icon: [fileOf(second), null] },
  });
  await app.mails();
  expect(storedFiles(app)).not.toContain(fileOf(second));
});

test('an application of another organization is not found', async () => {
  const other = await (await company(app)).newApplication();
  expect((await upload(boss, other)).code).toBe('application_not_found');
});

test('removing the application deletes its icon', async () => {
  const { icon } = responseOf<Own>(await upload(boss));
  const input = { org_id: org.orgId, application_id: books.id, name: 'Books' };
  responseOf(await boss.visitor.delete('/api/applications', input));
  expect((await app.visitor().get(icon ?? '')).code).toBe('file_not_found');
});
