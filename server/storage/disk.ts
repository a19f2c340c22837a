import { mkdir, open, opendir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Refusal } from '#contract/errors.ts';
import { SECOND_MS } from '#server/clock.ts';
import { boundedQueue } from '#server/bounded-queue.ts';
import { type Storage, StorageAway, type StoredFile } from './storage.ts';

/** On a hanging disk each file blocks one of the process's four threads. Hashing needs the fourth. */
const SLOTS = { reading: 1, writing: 2 };
const defaults = { waiting: 64, limitMs: 10 * SECOND_MS };

/** Files in a folder of their own. A file is either whole or missing, whenever the machine stops. */
export function onDisk(folder: string, { waiting, limitMs } = defaults): Storage {
  const reading = boundedQueue(SLOTS.reading, waiting, { patienceMs: limitMs });
  const writing = boundedQueue(SLOTS.writing, waiting, { patienceMs: limitMs });
  const inQueue = <T>(queue: typeof reading, work: () => Promise<T>) =>
    orAway(async () => {
      const result = await within(limitMs, queue(work));
      if (result instanceof Refusal) throw new Error('too many files wait for it');
      return result;
    });
  const fileOf = (name: string) => {
    // All names are our own; this guards against a bug.
    if (!/^[\w-][\w.-]*$/.test(name)) throw new Error('no name of a stored file');
    return path.join(folder, name);
  };
  return {
    put: (name, bytes) => inQueue(writing, async () => write(fileOf(name), bytes)),
    get: (name) => inQueue(reading, async () => unlessMissing(readFile(fileOf(name)))),
    delete: (name) => inQueue(writing, async () => rm(fileOf(name), { force: true })),
    list: () => filesIn(folder, (work) => inQueue(reading, () => unlessMissing(work()))),
  };
}

async function write(file: string, bytes: Uint8Array) {
  const folder = path.dirname(file);
  const part = `${file}.part`;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  try {
    await writeFile(part, bytes, { mode: 0o600, flush: true });
    await rename(part, file);
  } catch (error) {
    // If even this fails, the sweep removes the file.
    await rm(part, { force: true }).catch(() => undefined);
    throw error;
  }
  await flushFolder(folder);
}

/** Fails when the work takes too long. If it still writes a file later, the sweep removes it. */
async function within<T>(limitMs: number, work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`took longer than ${limitMs / SECOND_MS} s`)), limitMs);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}

type Read = <T>(work: () => Promise<T>) => Promise<T | undefined>;
async function* filesIn(folder: string, read: Read): AsyncIterable<StoredFile> {
  const entries = await read(() => opendir(folder));
  if (!entries) return;
  for await (const { name } of entries) {
    const stats = await read(() => stat(path.join(folder, name)));
    if (stats) yield { name, storedAt: stats.mtime };
  }
}

/** A new name survives a power cut only after its folder is flushed; Windows does that itself. */
async function flushFolder(folder: string) {
  if (process.platform === 'win32') return;
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

const unlessMissing = <T>(lookup: Promise<T>) =>
  lookup.catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });

async function orAway<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw new StorageAway(`the image folder: ${(cause as Error).message}`, { cause });
  }
}
