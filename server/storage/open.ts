import type { Config } from '#server/config.ts';
import { onDisk } from './disk.ts';
import { inBucket } from './s3.ts';
import type { Storage } from './storage.ts';

/** The storage at STORAGE_URL; by default the folder `images` in the data folder. */
export const openStorage = ({ storage }: Pick<Config, 'storage'>): Storage =>
  'folder' in storage ? onDisk(storage.folder) : inBucket(storage);
