import { mkdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { brokenChains } from '#server/activity/chain/verify.ts';
import {
  iconPath,
  setIcon,
  skipDrawing,
  storedFiles,
  tinyPng,
  upload,
  uploadedIconId,
} from '#server/testing/icons.ts';
import { type Boss, founder } from '#server/testing/people.ts';
import type { TestApp } from '#server/testing/start-app.ts';
import { untouched } from '#server/testing/untouched.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf } from '#server/testing/visitor.ts';

// A disk that is full, refuses writes or is slow (L8). The errors are the kernel's own: uploads go to /dev/full
// or to a read-only file of /proc.

const app = useApp({ RATE_LIMIT_FACTOR: '10' });
let boss: Boss;
let old: string;
let working: TestApp['deps']['storage'];
beforeAll(() => {
  skipDrawing(app);
  working = { ...app.deps.storage };
});
beforeEach(async () => {
  boss = await founder(app);
  old = await uploadedIconId(app, boss, boss.orgId);
  responseOf(await setIcon(boss, boss.orgId, old));
});
afterEach(() => mend());

const folder = () => path.join(app.deps.config.dataDir, 'images');
const mend = () => void Object.assign(app.deps.storage, working);
/** Redirects every write of the storage to a device. */
function leadTo(device: string) {
  Object.assign(app.deps.storage, {
    put: (name: string, bytes: Uint8Array) => {
      mkdirSync(folder(), { recursive: true });
      symlinkSync(device, path.join(folder(), `${name}.part`));
      return working.put(name, bytes);
    },
  });
}
const download = async (fileId: string) => {
  const answer = await app.visitor().request('GET', iconPath(boss.orgId, fileId));
  return [answer.status, Buffer.from(await answer.arrayBuffer()).equals(tinyPng)];
};

test.each([
  ['a full disk', '/dev/full', /ENOSPC/],
  ['a disk that takes nothing', '/proc/version', /EACCES|EIO/],
])(
  'on %s an upload is refused and leaves nothing behind, and the portal needs no restart',
  async (_disk, device, word) => {
    const before = storedFiles(app);
    leadTo(device);
    const answer = await untouched(app, () => upload(app, boss, boss.orgId));
    expect([answer.code, answer.headers.get('retry-after')]).toEqual(['unavailable', '5']);
    expect(JSON.stringify(answer.body)).not.toMatch(word);
    expect(app.logLines.join('')).toMatch(word);
    expect(storedFiles(app)).toEqual(before);
    expect(await download(old)).toEqual([200, true]);
    await expect.poll(async () => (await app.visitor().get('/readyz')).status).toBe(200);

    mend();
    const next = await uploadedIconId(app, boss, boss.orgId);
    responseOf(await setIcon(boss, boss.orgId, next));
    expect(await download(next)).toEqual([200, true]);
    for await (const broken of brokenChains(app.deps)) expect.fail(JSON.stringify(broken));
  },
);

test('during a slow write other calls are served, and the old image stays until the new one is set', async () => {
  const [begun, slow] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  onTestFinished(() => slow.resolve());
  Object.assign(app.deps.storage, {
    put: async (name: string, bytes: Uint8Array) => {
      begun.resolve();
      await slow.promise;
      await working.put(name, bytes);
    },
  });
  let isUploaded = false;
  const uploading = upload(app, boss, boss.orgId).finally(() => (isUploaded = true));
  await begun.promise;
  responseOf(await boss.visitor.get(`/api/init?org_id=${boss.orgId}`));
  expect(await download(old)).toEqual([200, true]);
  expect(isUploaded).toBe(false);
  slow.resolve();
  responseOf(await uploading);
  mend();
  expect(await download(old)).toEqual([200, true]);
});
