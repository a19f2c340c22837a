import { createReadStream, readdirSync, readlinkSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import sharp from 'sharp';
import { brokenChains } from '#server/activity/chain/verify.ts';
import { DAY_MS } from '#server/clock.ts';
import type { Deps } from '#server/deps.ts';
import { messageIdOf } from '#server/mail/outbox.ts';
import { brokenRows } from '#server/testing/breaches.ts';
import type { Ledger } from './ledger.ts';
import type { MailIdsOf } from './ledger-breaches.ts';
import type { Portico } from './processes.ts';

// The invariants that hold after any fault (docs/security.md), numbered as there. Breaches are described in words.

async function brokenLog(deps: Deps): Promise<string[]> {
  const breaches: string[] = [];
  for await (const { chain, position, problem } of brokenChains(deps))
    breaches.push(`6: ${chain} ${position}: ${problem}`);
  return breaches;
}

/** Referenced pictures exist and can be drawn; unreferenced ones are younger than the sweep's day. */
async function brokenImages({ sql: database, storage, clock }: Deps): Promise<string[]> {
  const breaches: string[] = [];
  const rows = [
    ...(await database.selectFrom('pictures').select('file_id').execute()),
    ...(await database.selectFrom('images').select('file_id').execute()),
    ...(await database.selectFrom('application_icons').select('file_id').execute()),
  ];
  const fileIds = new Set<string>(rows.map(({ file_id }) => file_id));
  for (const name of fileIds) {
    const bytes = await storage.get(name);
    if (!bytes) breaches.push(`7: the image ${name} is gone`);
    else if (!(await isDrawable(bytes))) breaches.push(`7: the image ${name} can't be shown`);
  }
  for await (const { name, storedAt } of storage.list())
    if (!fileIds.has(name) && storedAt.getTime() < clock.now().getTime() - DAY_MS)
      breaches.push(`7: nobody names the image ${name}, and no sweep took it`);
  return breaches;
}

export const isDrawable = (bytes: Uint8Array) =>
  sharp(bytes)
    .stats()
    .then(
      () => true,
      () => false,
    );

type Secrets = Readonly<Record<string, readonly string[]>>;
const secretPatterns: Record<string, RegExp> = {
  'a digest in an address': /digest=[\w-]{20}/,
  'a hash of a password': /\$argon2id\$/,
  'a cookie': /portico=[\w-]{20}/,
  'a password by its name': /"(current_|new_)?password":/,
};

/** Long random words are looked up in a map, so that many cost no more than one. */
const isToken = (word: string) => /^[\w-]{20,}$/.test(word);

async function brokenSecrecy(file: string, secrets: Secrets): Promise<string[]> {
  const all = Object.entries(secrets).flatMap(([what, words]) => words.map((word) => [word, what] as const));
  const tokens = new Map(all.filter(([word]) => isToken(word)));
  const phrases = all.filter(([word]) => !isToken(word));
  const leaks = new Set<string>();
  for await (const line of createInterface({ input: createReadStream(file) })) {
    for (const [what, pattern] of Object.entries(secretPatterns)) if (pattern.test(line)) leaks.add(what);
    for (const [phrase, what] of phrases) if (line.includes(phrase)) leaks.add(what);
    for (const [token] of line.matchAll(/[\w-]{20,}/g)) {
      const what = tokens.get(token);
      if (what) leaks.add(what);
    }
  }
  return [...leaks].map((what) => `10: ${what} stands in ${file}`);
}

export interface Evidence {
  readonly ledgers?: readonly Ledger[];
  /** The message ids of the mails that reached an address. */
  readonly mailIdsOf?: (email: string) => ReadonlySet<string>;
  /** The processes' output, and what it must not contain. */
  readonly logs?: readonly string[];
  readonly secrets?: Secrets;
}

/** Names each delivered mail by its job, if that is still there, because a delivered mail may still wait. */
async function byJobs(deps: Deps, mailIdsOf: NonNullable<Evidence['mailIdsOf']>): Promise<MailIdsOf> {
  const mails = await deps.sql.selectFrom('jobs').select('id').where('kind', '=', 'mail').execute();
  const jobs = new Map(mails.map(({ id }) => [messageIdOf(deps, id), id]));
  return (email) => new Set([...mailIdsOf(email)].map((messageId) => jobs.get(messageId) ?? messageId));
}

/** Checks every invariant that rows, images and logs can show; returns the breaches in words. */
export async function brokenInvariants(deps: Deps, evidence: Evidence = {}): Promise<string[]> {
  const { ledgers = [], mailIdsOf, logs = [], secrets = {} } = evidence;
  const breaches = [
    ...(await brokenRows(deps.sql, deps.config.maxMembersPerOrg)),
    ...(await brokenLog(deps)),
    ...(await brokenImages(deps)),
  ];
  const jobIdsOf = mailIdsOf && (await byJobs(deps, mailIdsOf));
  for (const ledger of ledgers)
    breaches.push(...(await ledger.breaches(deps.sql, jobIdsOf)).map((what) => `5: ${what}`));
  for (const log of logs) breaches.push(...(await brokenSecrecy(log, secrets)));
  return breaches;
}

export interface Holdings {
  readonly pid: number;
  readonly files: number;
  readonly residentBytes: number;
  /** Bytes of its objects and buffers, garbage included. */
  readonly usedBytes: number;
}

/** Without those of an embedded database, which keeps each table and index open. */
function filesOf(pid: number): number {
  const folder = `/proc/${pid}/fd`;
  const leadsToDatabase = (name: string) => {
    try {
      return readlinkSync(path.join(folder, name)).includes('/database/');
    } catch {
      // It was closed meanwhile.
      return true;
    }
  };
  return readdirSync(folder).filter((name) => !leadsToDatabase(name)).length;
}

export async function holdingsOf({ port, program }: Portico): Promise<Holdings> {
  const { pid } = program();
  const answer = await fetch(`http://127.0.0.1:${port}/metrics`);
  const text = await answer.text();
  const read = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1] ?? Number.NaN);
  return {
    pid,
    files: filesOf(pid),
    residentBytes: read('process_resident_memory_bytes'),
    usedBytes: read('nodejs_heap_size_used_bytes') + read('nodejs_external_memory_bytes'),
  };
}

/** 9: processes that should run and do not. */
export const crashedProcesses = (portals: readonly Portico[]) =>
  portals.filter((one) => !one.program().isRunning()).map(({ url }) => `9: ${url} ended by itself`);

/** Ten percent, except for the first connections of a pool and the heap before a collection. */
const LEEWAY = { files: 16, usedBytes: 32 * 2 ** 20 };

/** 9: no process restarted by itself, and each released its resources. */
function brokenHoldings(before: Holdings, after: Holdings): string[] {
  const breaches: string[] = [];
  if (before.pid !== after.pid) breaches.push(`9: process ${before.pid} is ${after.pid} now`);
  for (const what of ['files', 'usedBytes'] as const)
    if (!(after[what] <= Math.max(before[what] * 1.1, before[what] + LEEWAY[what])))
      breaches.push(`9: ${what} went from ${before[what]} to ${after[what]}`);
  return breaches;
}

/** After a burst both ends keep idle sockets open for a while. */
const GIVEN_BACK_WITHIN_MS = 75_000;
const LOOK_EVERY_MS = 1000;

/** The resources that processes did not release in time after a fault, compared with before it. */
export async function measureLeftovers<T>(
  portals: readonly Portico[],
  fault: () => Promise<T>,
  withinMs = GIVEN_BACK_WITHIN_MS,
) {
  const before = await Promise.all(portals.map(holdingsOf));
  const result = await fault();
  const look = async () => {
    const after = await Promise.all(portals.map(holdingsOf));
    return before.flatMap((start, nth) => {
      const holds = after[nth];
      return holds ? brokenHoldings(start, holds) : [];
    });
  };
  const restarted = () => before.some(({ pid }, nth) => portals[nth]?.program().pid !== pid);
  const end = performance.now() + withinMs;
  let leftovers = await look();
  // A restarted process starts from different figures, so waiting is useless.
  while (leftovers.length > 0 && !restarted() && performance.now() < end) {
    await pause(LOOK_EVERY_MS);
    leftovers = await look();
  }
  return { result, leftovers };
}
