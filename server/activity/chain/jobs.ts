import { createHash } from 'node:crypto';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { type Anchor, anchorsIn, folderIn } from './anchors.ts';
import { askForAnchor, listChains } from './data.ts';
import { DAY_MS, fromNow } from '#server/clock.ts';
import { transaction } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { enqueue } from '#server/jobs/enqueue.ts';
import type { JobHandlers, Sweep } from '#server/jobs/jobs.ts';

const ANCHORS_KEPT_DAYS = 35;
const AT_ONCE = 1000;
const dayOf = (moment: Date) => moment.toISOString().slice(0, 10);

/** Queues the job that anchors all chains outside the database, once per UTC day across all processes. */
export const askForDailyAnchor: Sweep = (deps) =>
  transaction(deps.sql, async (tx) => {
    const day = dayOf(deps.clock.now());
    if (await askForAnchor(tx, day, deps.clock.now()))
      await enqueue(tx, deps, { kind: 'anchor-activity', payload: { day } });
  });

export const chainJobs: JobHandlers = {
  'anchor-activity': async (deps, { day }: { day: string }) => {
    const folder = folderIn(deps.config.dataDir);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const { chains, sha256 } = await writeEnds(deps, path.join(folder, `${day}.jsonl`));
    // The server log leaves the machine, so this line proves the file.
    deps.log.info({ day, chains, sha256 }, 'the ends of the activity log are anchored');
    const oldest = dayOf(fromNow(deps.clock, -ANCHORS_KEPT_DAYS * DAY_MS));
    for (const name of await anchorsIn(folder)) if (name < oldest) await rm(path.join(folder, name));
  },
};

/** Writes a temporary file and renames it, so that an anchor is complete or missing. */
async function writeEnds({ sql }: Deps, file: string) {
  const part = `${file}.${process.pid}`;
  const digest = createHash('sha256');
  let chains = 0;
  const handle = await open(part, 'w', 0o600);
  try {
    for (let after: string | undefined = ''; after !== undefined;) {
      const page = await listChains(sql, after, AT_ONCE);
      const ends = page.map(({ chain, length, head }): Anchor => ({
        chain,
        length,
        head: Buffer.from(head).toString('hex'),
      }));
      const text = ends.map((end) => `${JSON.stringify(end)}\n`).join('');
      digest.update(text);
      await handle.writeFile(text);
      chains += page.length;
      after = page.at(-1)?.chain;
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(part, file);
  return { chains, sha256: digest.digest('hex') };
}
