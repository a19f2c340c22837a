import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfig } from '#server/config.ts';
import type { Bucket } from '#server/config-readers.ts';
import { openStorage } from './open.ts';
import { StorageAway } from './storage.ts';
import { describeStorage, listed, newName } from '#server/testing/stored-files.ts';
import { startSwift } from '#server/testing/swift.ts';

// Against a real S3 server. vitest.config.ts includes this file if Swift is installed: on Debian with `apt
// install swift-proxy swift-account swift-container swift-object`.

let swift: Awaited<ReturnType<typeof startSwift>>;
const bucketAt = (STORAGE_URL: string) => readConfig({ STORAGE_URL }).storage as Bucket;
const bucketStorage = (url = swift.url()) => openStorage({ storage: bucketAt(url) });
beforeAll(async () => {
  swift = await startSwift();
}, 120_000);
afterAll(() => swift.stop());

describeStorage(bucketStorage);

test('a folder in the bucket sees only its own files', async () => {
  const inFolder = bucketStorage(swift.url().replace('/pictures', '/pictures/portico/live'));
  const [one, other] = [newName(), newName()];
  await inFolder.put(one, Buffer.from('one'));
  await bucketStorage().put(other, Buffer.from('other'));
  expect([...(await listed(inFolder)).keys()]).toEqual([one]);
  expect(await bucketStorage().get(one)).toBeUndefined();
  expect([...(await listed(bucketStorage())).keys()]).toContain(`portico/live/${one}`);
});

test('a wrong secret, an unknown key and a missing bucket are faults', async () => {
  const urls = [
    swift.url('test:tester', 'wrong'),
    swift.url('test:nobody'),
    swift.url().replace('/pictures', '/others'),
  ];
  for (const url of urls) {
    await expect(bucketStorage(url).put(newName(), Buffer.from('x'))).rejects.toThrow(StorageAway);
    await expect(bucketStorage(url).get(newName())).rejects.toThrow(StorageAway);
    await expect(listed(bucketStorage(url))).rejects.toThrow(StorageAway);
  }
});
