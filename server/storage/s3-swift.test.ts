import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Bucket, readConfig } from '#server/config.ts';
import { openStorage } from '#server/storage/open.ts';
import { StorageAway } from '#server/storage/storage.ts';
import { describeStorage, listed, newName } from '#server/testing/stored-files.ts';
import { startSwift } from '#server/testing/swift.ts';

// Against a real server that speaks S3. vitest.config.ts takes this file in where Swift is installed: on Debian with
// `apt install swift-proxy swift-account swift-container swift-object`.

let swift: Awaited<ReturnType<typeof startSwift>>;
const bucketAt = (STORAGE_URL: string) => readConfig({ STORAGE_URL }).storage as Bucket;
const opened = (url = swift.url()) => openStorage({ storage: bucketAt(url) });
beforeAll(async () => {
  swift = await startSwift();
}, 120_000);
afterAll(() => swift.stop());

describeStorage(opened);

test('a folder in the bucket is a world of its own', async () => {
  const inFolder = opened(swift.url().replace('/pictures', '/pictures/portico/live'));
  const [one, other] = [newName(), newName()];
  await inFolder.put(one, Buffer.from('one'));
  await opened().put(other, Buffer.from('other'));
  expect([...(await listed(inFolder)).keys()]).toEqual([one]);
  expect(await opened().get(one)).toBeUndefined();
  expect([...(await listed(opened())).keys()]).toContain(`portico/live/${one}`);
});

test('a wrong secret, an unknown key and a bucket that is not there are faults', async () => {
  const urls = [
    swift.url('test:tester', 'wrong'),
    swift.url('test:nobody'),
    swift.url().replace('/pictures', '/others'),
  ];
  for (const url of urls) {
    await expect(opened(url).put(newName(), Buffer.from('x'))).rejects.toThrow(StorageAway);
    await expect(opened(url).get(newName())).rejects.toThrow(StorageAway);
    await expect(listed(opened(url))).rejects.toThrow(StorageAway);
  }
});
