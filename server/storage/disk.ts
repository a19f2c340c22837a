import { mkdir, open, opendir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Refusal } from '#contract/errors.ts';
import { SECOND_MS } from '#server/clock.ts';
import { boundedQueue } from '#server/bounded-queue.ts';
import { type Storage, StorageAway, type Stored } from '#server/storage/storage.ts';

/** A disk that stands still keeps a thread of the process for each file, of four there are; hashes need one. */
const AT_ONCE = { reading: 1, writing: 2 };
const patience = { waiting: 64, limitMs: 10 * SECOND_MS };

/** Files in a folder of their own. A file is there whole or not at all, whenever the machine stops. */
export function onDisk(folder: string, { waiting, limitMs } = patience): Storage {
  const reading = boundedQueue(AT_ONCE.reading, waiting, limitMs);
  const writing = boundedQueue(AT_ONCE.writing, waiting, limitMs);
  const inTurn = <T>(queue: typeof reading, work: () => Promise<T>) =>
    orAway(async () => {
      const done = await within(limitMs, queue(work));
      if (done instanceof Refusal) throw new Error('too much is asked of it');
      return done;
    });
  const fileOf = (name: string) => {
    // Names are made by us; this is for the day one is not.
    if (!/^[\w-][\w.-]*$/.test(name)) throw new Error('no name of a stored file');
    return path.join(folder, name);
  };
  return {
    put: (name, bytes) => inTurn(writing, async () => write(fileOf(name), bytes)),
    get: (name) => inTurn(reading, async () => unlessMissing(readFile(fileOf(name)))),
    delete: (name) => inTurn(writing, async () => rm(fileOf(name), { force: true })),
    list: () => filesIn(folder, (work) => inTurn(reading, () => unlessMissing(work()))),
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
    // Where even this fails the sweep takes the rest.
    await rm(part, { force: true }).catch(() => undefined);
    throw error;
  }
  await flushFolder(folder);
}

/** The work's own end, or an error when it takes too long; what is written then is nobody's, and swept. */
async function within<T>(limitMs: number, work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`took longer than ${limitMs / SECOND_MS} s`)), limitMs);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}

type Look = <T>(work: () => Promise<T>) => Promise<T | undefined>;
async function* filesIn(folder: string, look: Look): AsyncIterable<Stored> {
  const entries = await look(() => opendir(folder));
  if (!entries) return;
  for await (const { name } of entries) {
    const facts = await look(() => stat(path.join(folder, name)));
    if (facts) yield { name, storedAt: facts.mtime };
  }
}

/** A new name lasts through a power cut only once its folder is on the disk; Windows sees to that itself. */
async function flushFolder(folder: string) {
  if (process.platform === 'win32') return;
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

const unlessMissing = <T>(found: Promise<T>) =>
  found.catch((error: NodeJS.ErrnoException) => {
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
