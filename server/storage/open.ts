import type { Config } from '#server/config.ts';
import { onDisk } from '#server/storage/disk.ts';
import { inBucket } from '#server/storage/s3.ts';
import type { Storage } from '#server/storage/storage.ts';

/** The storage that STORAGE_URL names, the data folder's `images` by default. */
export const openStorage = ({ storage }: Pick<Config, 'storage'>): Storage =>
  'folder' in storage ? onDisk(storage.folder) : inBucket(storage);
