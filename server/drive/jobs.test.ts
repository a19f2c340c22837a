import { utimesSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { OrgId } from '#contract/wire.ts';
import { DAY_MS, HOUR_MS } from '#server/clock.ts';
import { sweepImages } from '#server/drive/jobs.ts';
import { iconRows, nameIcon, skipDrawing, storedFiles, uploaded } from '#server/testing/icons.ts';
import { founder } from '#server/testing/people.ts';
import { startApp, type TestApp } from '#server/testing/start-app.ts';
import { newName } from '#server/testing/stored-files.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
  skipDrawing(app);
});
afterAll(() => app.close());

/** Gives a file the age it has by the app's clock. */
const asOfNow = (name: string) =>
  utimesSync(path.join(app.deps.config.dataDir, 'images', name), app.clock.now(), app.clock.now());

test('what was uploaded a day ago and never named goes, row and file; what is shown stays', async () => {
  const maya = await founder(app);
  const [shown, light] = [await uploaded(app, maya, maya.orgId), await uploaded(app, maya, maya.orgId, 2)];
  await nameIcon(maya, maya.orgId, shown);
  for (const name of [shown, light]) asOfNow(name);
  app.clock.forward(DAY_MS - HOUR_MS);
  await sweepImages(app.deps);
  expect(storedFiles(app).toSorted()).toEqual([shown, light].toSorted());
  app.clock.forward(2 * HOUR_MS);
  await sweepImages(app.deps);
  expect((await iconRows(app, maya.orgId)).map((row) => row.file_id)).toEqual([shown]);
  expect(storedFiles(app)).toEqual([shown]);
});

test('files that no row knows go when they are a day old, and nothing that is not ours', async () => {
  const { storage } = app.deps;
  const kept = storedFiles(app);
  const ours = [newName(), newName(), `${newName()}.part`];
  const foreign = ['readme.txt', 'x'.repeat(42), `${newName()}.bak`];
  for (const name of [...ours, ...foreign]) {
    await storage.put(name, Buffer.from('x'));
    asOfNow(name);
  }
  app.clock.forward(DAY_MS - HOUR_MS);
  await sweepImages(app.deps);
  expect(storedFiles(app).toSorted()).toEqual([...kept, ...ours, ...foreign].toSorted());
  const young = newName();
  await storage.put(young, Buffer.from('x'));
  asOfNow(young);
  app.clock.forward(2 * HOUR_MS);
  await sweepImages(app.deps);
  expect(storedFiles(app).toSorted()).toEqual([...kept, ...foreign, young].toSorted());
});

test('many are looked up a batch at a time', async () => {
  const names = Array.from({ length: 450 }, newName);
  for (const name of names) await app.deps.storage.put(name, Buffer.from('x'));
  names.forEach(asOfNow);
  app.clock.forward(DAY_MS + HOUR_MS);
  await sweepImages(app.deps);
  expect(storedFiles(app).filter((name) => names.includes(name))).toEqual([]);
});

test('the icons of an organization that is gone go with the next sweep', async () => {
  const maya = await founder(app);
  const fileId = await uploaded(app, maya, maya.orgId);
  await nameIcon(maya, maya.orgId, fileId);
  asOfNow(fileId);
  await app.deps.sql
    .deleteFrom('organizations')
    .where('id', '=', maya.orgId as OrgId)
    .execute();
  app.clock.forward(DAY_MS + HOUR_MS);
  await sweepImages(app.deps);
  expect(storedFiles(app)).not.toContain(fileId);
});
