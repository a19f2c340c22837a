import { beforeAll, expect, test } from 'vitest';
import { DAY_MS, HOUR_MS } from '#server/clock.ts';
import { sweepImages } from './jobs.ts';
import {
  dateFile,
  iconRows,
  setIcon,
  skipDrawing,
  storedFiles,
  uploadedIconId,
} from '#server/testing/icons.ts';
import { founder } from '#server/testing/people.ts';
import { deleteRows } from '#server/testing/rows.ts';
import { newName } from '#server/testing/stored-files.ts';
import { useApp } from '#server/testing/use-app.ts';

const app = useApp();
beforeAll(() => skipDrawing(app));

const asOfNow = (name: string) => dateFile(app, name);

test('an icon that was not set within a day loses row and file; a shown one stays', async () => {
  const maya = await founder(app);
  const [dark, light] = [
    await uploadedIconId(app, maya, maya.orgId),
    await uploadedIconId(app, maya, maya.orgId, 2),
  ];
  await setIcon(maya, maya.orgId, dark);
  for (const name of [dark, light]) asOfNow(name);
  app.clock.forward(DAY_MS - HOUR_MS);
  await sweepImages(app.deps);
  expect(storedFiles(app).toSorted()).toEqual([dark, light].toSorted());
  app.clock.forward(2 * HOUR_MS);
  await sweepImages(app.deps);
  expect((await iconRows(app, maya.orgId)).map((row) => row.file_id)).toEqual([dark]);
  expect(storedFiles(app)).toEqual([dark]);
});

test('files without a row are deleted after a day, and foreign files stay', async () => {
  const { storage } = app.deps;
  const filesBefore = storedFiles(app);
  const ours = [newName(), newName(), `${newName()}.part`];
  const foreign = ['readme.txt', 'x'.repeat(42), `${newName()}.bak`];
  for (const name of [...ours, ...foreign]) {
    await storage.put(name, Buffer.from('x'));
    asOfNow(name);
  }
  app.clock.forward(DAY_MS - HOUR_MS);
  await sweepImages(app.deps);
  expect(storedFiles(app).toSorted()).toEqual([...filesBefore, ...ours, ...foreign].toSorted());
  const young = newName();
  await storage.put(young, Buffer.from('x'));
  asOfNow(young);
  app.clock.forward(2 * HOUR_MS);
  await sweepImages(app.deps);
  expect(storedFiles(app).toSorted()).toEqual([...filesBefore, ...foreign, young].toSorted());
});

test('the sweep works in batches', async () => {
  const names = Array.from({ length: 450 }, newName);
  for (const name of names) await app.deps.storage.put(name, Buffer.from('x'));
  names.forEach(asOfNow);
  app.clock.forward(DAY_MS + HOUR_MS);
  await sweepImages(app.deps);
  expect(storedFiles(app).filter((name) => names.includes(name))).toEqual([]);
});

test('the sweep deletes the icons of a deleted organization', async () => {
  const maya = await founder(app);
  const fileId = await uploadedIconId(app, maya, maya.orgId);
  await setIcon(maya, maya.orgId, fileId);
  asOfNow(fileId);
  await deleteRows(app, 'organizations', { id: maya.orgId });
  app.clock.forward(DAY_MS + HOUR_MS);
  await sweepImages(app.deps);
  expect(storedFiles(app)).not.toContain(fileId);
});
