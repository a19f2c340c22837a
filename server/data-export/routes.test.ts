import { strFromU8, unzipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import type { FileId } from '#contract/split-by-bytes/area-wire.ts';
import { DATA_EXPORT_DAYS } from '#contract/limits.ts';
import { DAY_MS, HOUR_MS } from '#server/clock.ts';
import { sweepExports } from './jobs.ts';
import { sweepImages } from '#server/drive/jobs.ts';
import { GiveUp, runDueJobs } from '#server/jobs/jobs.ts';
import { randomToken } from '#server/keys.ts';
import { newestRow } from '#server/testing/addresses.ts';
import { dateFile, storedFiles } from '#server/testing/icons.ts';
import { colleague, confirmed, deactivate, founder, rolesOf } from '#server/testing/people.ts';
import { listRows, updateRows } from '#server/testing/rows.ts';
import { lastingSessions } from '#server/testing/start-app.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf, type Visitor } from '#server/testing/visitor.ts';

const app = useApp({ ...lastingSessions, REAUTH_WINDOW_MINUTES: '60' });

type Row = Record<string, unknown>;
const queryOf = (orgId?: number) => (orgId === undefined ? '' : `?org_id=${orgId}`);
const ask = (visitor: Visitor, orgId?: number) =>
  visitor.post('/api/dataexport', orgId === undefined ? {} : { org_id: orgId });
const read = async (visitor: Visitor, orgId?: number) =>
  responseOf<Row>(await visitor.get(`/api/dataexport${queryOf(orgId)}`));
const take = (visitor: Visitor, orgId?: number) =>
  visitor.request('GET', `/api/dataexport/file${queryOf(orgId)}`);
async function make(visitor: Visitor, orgId?: number) {
  responseOf(await ask(visitor, orgId));
  await app.mails();
}
const none = {
  requested_at: null,
  requested_by: null,
  is_failed: 0,
  expires_at: null,
  byte_count: null,
  next_request_at: null,
};
const mailsTo = async (email: string) =>
  (await app.mails(email)).filter(({ subject }) => subject.endsWith('is ready'));

const subjects = [
  {
    of: 'a person',
    enroll: async () => ({ ...(await confirmed(app)), orgId: undefined, urlName: undefined }),
    page: (_: { urlName?: string | undefined }) => 'account/myprofile?language=en#data',
    log: { activity_type: 25, org_id: null },
    by: null,
  },
  {
    of: 'an organization',
    enroll: () => founder(app),
    page: ({ urlName }: { urlName?: string | undefined }) => `${urlName}/organization/data`,
    log: { activity_type: 26, org_id: expect.any(Number) as number },
    by: 'Maya Lindqvist',
  },
];
describe.each(subjects)('an archive of $of', ({ enroll, page, log, by }) => {
  test('is made one at a time, three a day, and a mailed link without a secret leads to it', async () => {
    const maya = await enroll();
    const { visitor, orgId, email } = maya;
    expect(await read(visitor, orgId)).toEqual(none);
    expect((await take(visitor, orgId)).status).toBe(404);
    const first = await ask(visitor, orgId);
    const requestedAt = app.clock.now();
    const making = { ...none, requested_at: requestedAt.toISOString(), requested_by: by };
    expect(responseOf(first)).toEqual(making);
    expect(await newestRow(app, maya.id)).toMatchObject({ ...log, action: 1 });
    expect((await ask(visitor, orgId)).body).toEqual(first.body);
    const mails = await mailsTo(email);
    expect(mails).toHaveLength(1);
    expect(mails[0]?.text).toContain(`${app.deps.config.publicUrl.origin}/${page(maya)}`);
    expect(await read(visitor, orgId)).toEqual({
      ...making,
      byte_count: expect.any(Number) as number,
      expires_at: new Date(app.clock.now().getTime() + DATA_EXPORT_DAYS * DAY_MS).toISOString(),
    });
    expect((await take(visitor, orgId)).status).toBe(200);
    expect(await newestRow(app, maya.id)).toMatchObject({ ...log, action: 2 });

    const files = storedFiles(app).length;
    for (const code of [undefined, undefined, 'too_many_requests']) {
      expect((await ask(visitor, orgId)).code).toBe(code);
      await app.mails();
    }
    const nextAt = new Date(requestedAt.getTime() + DAY_MS).toISOString();
    expect(await read(visitor, orgId)).toMatchObject({ next_request_at: nextAt });
    // Each new archive replaced the former one.
    expect(storedFiles(app)).toHaveLength(files);
    app.clock.forward(HOUR_MS);
    for (const answer of [
      await ask(visitor, orgId),
      await visitor.get(`/api/dataexport/file${queryOf(orgId)}`),
    ])
      expect(answer.code).toBe('reauthentication_required');
  });

  test('is made once for two requests at once, which count as one', async () => {
    const { visitor, email, orgId } = await enroll();
    const [first, second] = await Promise.all([ask(visitor, orgId), ask(visitor, orgId)]);
    expect(second.body).toEqual(first.body);
    expect(await mailsTo(email)).toHaveLength(1);
    for (const code of [undefined, undefined, 'too_many_requests']) {
      expect((await ask(visitor, orgId)).code).toBe(code);
      await app.mails();
    }
  });

  test('that could not be made for good can be requested again', async () => {
    const { visitor, orgId } = await enroll();
    await ask(visitor, orgId);
    const kind = 'make-data-export';
    await runDueJobs(app.deps, { [kind]: () => Promise.reject(new GiveUp('the disk is broken')) });
    expect(await read(visitor, orgId)).toMatchObject({ is_failed: 1, expires_at: null });
    expect((await take(visitor, orgId)).status).toBe(404);
    expect(responseOf<Row>(await ask(visitor, orgId))).toMatchObject({ is_failed: 0 });
    await app.mails();
    expect((await take(visitor, orgId)).status).toBe(200);
  });
});

test('an archive is in the language of the account that asked for it', async () => {
  const { visitor, id } = await confirmed(app);
  await updateRows(app, 'users', { id }, { language: 'ja' });
  await make(visitor);
  const files = unzipSync(new Uint8Array(await (await take(visitor)).arrayBuffer()));
  const index = strFromU8(files['index.html'] ?? new Uint8Array());
  expect(index).toContain('<html lang="ja" dir="ltr">');
  expect(index).toContain('<h1>あなたのPorticoデータ</h1>');
});

test('each Super Admin may ask for an organization’s archive and download it, as long as they are one', async () => {
  const maya = await founder(app);
  const { orgId } = maya;
  const lena = await colleague(app, maya, 'Super Admin');
  await make(maya.visitor, orgId);
  expect((await take(lena.visitor, orgId)).status).toBe(200);
  expect(await newestRow(app, lena.id)).toMatchObject({ org_id: orgId, activity_type: 26, action: 2 });

  // Lena asks for a new one, and stops being Super Admin before it is made.
  responseOf(await ask(lena.visitor, orgId));
  const role_id = (await rolesOf(maya))['Admin'];
  const change = { org_id: orgId, user_id: lena.id, first_name: 'Lena', role_id, status: 2 };
  responseOf(await maya.visitor.put('/api/orgusers', change));
  expect(await mailsTo(lena.email)).toEqual([]);
  expect((await take(lena.visitor, orgId)).status).toBe(403);
  expect((await take(maya.visitor, orgId)).status).toBe(200);
});

test('an archive ends after seven days, or with its subject, and its files go', async () => {
  // Nobody signs in meanwhile, so that no other file is stored.
  const before = storedFiles(app);
  const [maya, emil, boss] = [await confirmed(app), await confirmed(app), await founder(app)];
  await make(maya.visitor);
  await make(emil.visitor);
  await make(boss.visitor, boss.orgId);
  expect(storedFiles(app)).toHaveLength(before.length + 3);
  await deactivate(app, emil);
  await app.mails();
  expect(storedFiles(app)).toHaveLength(before.length + 2);
  // The sweep of unknown files knows all files of an archive.
  const further = randomToken() as FileId;
  await app.deps.storage.put(further, new Uint8Array(3));
  await updateRows(app, 'data_exports', { org_id: boss.orgId }, { further_file_ids: [further] });
  for (const name of storedFiles(app)) dateFile(app, name);
  app.clock.forward(2 * DAY_MS);
  await sweepImages(app.deps);
  expect(storedFiles(app)).toHaveLength(before.length + 3);
  app.clock.forward(5 * DAY_MS);
  expect(await read(maya.visitor)).toEqual(none);
  await sweepExports(app.deps);
  await app.mails();
  expect(await listRows(app, 'data_exports', ['id'])).toEqual([]);
  expect(storedFiles(app).length).toBeLessThanOrEqual(before.length);
});
