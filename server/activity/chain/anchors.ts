import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';

export type Anchor = { readonly chain: string; readonly length: number; readonly head: string };

const anchorFile = /^\d{4}-\d\d-\d\d\.jsonl$/;

export const folderIn = (dataDir: string) => path.join(dataDir, 'anchors');

function noneIfMissing(error: NodeJS.ErrnoException): string[] {
  if (error.code === 'ENOENT') return [];
  throw error;
}

export const anchorsIn = async (folder: string) =>
  (await readdir(folder)).filter((name) => anchorFile.test(name)).toSorted();

export async function anchorsAt(dataDir: string) {
  const folder = folderIn(dataDir);
  const names = await anchorsIn(folder).catch(noneIfMissing);
  return { folder, days: names.length };
}

/** The ends in all anchors that are kept, oldest first. Yields nothing if none was written yet. */
export async function* readAnchors(dataDir: string): AsyncGenerator<Anchor> {
  const folder = folderIn(dataDir);
  const names = await anchorsIn(folder).catch(noneIfMissing);
  for (const name of names)
    for await (const line of createInterface({ input: createReadStream(path.join(folder, name)) }))
      yield JSON.parse(line) as Anchor;
}
