import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import sharp from 'sharp';
import type { Deps } from '#server/deps.ts';
import { codeIn, raw } from '#server/testing/raw.ts';
import { hasSwift } from '#server/testing/swift.ts';
import { seconds } from './crashes.ts';
import { isDrawable, measureLeftovers } from './invariants.ts';
import { Ledger } from './ledger.ts';
import { failuresIn, signInCall, startLoad, statuses } from './load.ts';
import { mayMount } from './packages.ts';
import type { Person } from './people.ts';
import { atEachSite, type Site } from './site.ts';
import { until } from './processes.ts';
import type { Drill, Scenario } from './scenario.ts';
import { HOST } from './single.ts';
import { startStore, storeFaults } from './store.ts';

const DISK_BYTES = 8 * 2 ** 20;

/** A small separate disk in a file. */
function smallDisk(drill: Drill) {
  const home = drill.folder('small-disk');
  const [image, folder] = [path.join(home, 'image'), path.join(home, 'disk')];
  const run = (program: string, ...args: string[]) => void execFileSync(program, args, { stdio: 'pipe' });
  run('truncate', '-s', String(DISK_BYTES), image);
  run('mkfs.ext4', '-q', '-m', '0', image);
  mkdirSync(folder);
  run('mount', '-o', 'loop', image, folder);
  const filler = path.join(folder, 'filler');
  return {
    folder,
    fill: () => {
      for (let size = 2 ** 20; size >= 2 ** 10; size /= 2)
        try {
          // Writes at most a little more than the disk's size, so that nothing else fills up if the mount
          // failed.
          for (let bytesLeft = DISK_BYTES; bytesLeft >= 0; bytesLeft -= size)
            writeFileSync(filler, Buffer.alloc(size), { flag: 'a' });
          throw new Error('the small disk is larger than it was made');
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
        }
    },
    empty: () => rmSync(filler),
    forbid: () => run('mount', '-o', 'remount,ro', folder),
    allow: () => run('mount', '-o', 'remount,rw', folder),
    freeze: () => run('fsfreeze', '-f', folder),
    thaw: () => run('fsfreeze', '-u', folder),
    remove: () => run('umount', folder),
  };
}

/** A unique picture. */
const picture = (red: number) =>
  sharp({ create: { width: 300, height: 300, channels: 3, background: { r: red, g: 90, b: 20 } } })
    .png()
    .toBuffer();

const REFUSED_WITHIN_MS = 15_000;
const SIGN_IN_MS = 5000;
const GIVEN_UP_WITHIN_MS = 15_000;
const RATE = 50;
const mix = { writes: 15, signIns: 0 };
const UPLOADERS = 6;
/** The embedded database opens the files of each table on first use and keeps them open. */
const WARM_UP_MS = 10_000;

/** A fault of the image storage. */
interface Fault {
  readonly what: string;
  readonly begin: () => void;
  readonly end: () => void;
  /** Whether stored pictures can be read during the fault. */
  readonly isReadable: boolean;
}

/** An uploader's calls. */
function uploading({ entry }: Pick<Site, 'entry'>) {
  const call = (person: Person, method: string, where: string, form?: { type: string; body: Buffer }) =>
    raw(entry.url, method, where, {
      headers: { host: HOST, cookie: person.cookie, ...(form && { 'content-type': form.type }) },
      ...(form && { body: form.body }),
    });
  const upload = async (person: Person, red: number) => {
    const form = new FormData();
    form.set('permission', '1');
    form.set('file', new File([new Uint8Array(await picture(red))], 'me.png'));
    const whole = new Response(form);
    const type = whole.headers.get('content-type') ?? '';
    return codeIn(
      await call(person, 'POST', '/drive/profile', { type, body: Buffer.from(await whole.arrayBuffer()) }),
    );
  };
  const pictureOf = async (person: Person) => {
    const user = JSON.parse((await call(person, 'GET', '/api/user')).text) as {
      response?: { profile_picture_url?: string };
    };
    const where = user.response?.profile_picture_url ?? '';
    const { status, text } = await call(person, 'GET', where.replace(/^https?:\/\/[^/]+/, ''));
    return { where, status, text };
  };
  return { upload, pictureOf };
}

/**
 * During the fault six people upload a new picture and still see the old one; afterwards the first uploads a
 * new one.
 */
async function runFault({ what, begin, end, isReadable }: Fault, site: Site, red: number) {
  const breaches: string[] = [];
  const { upload, pictureOf } = uploading(site);
  const uploaders = site.people.slice(0, UPLOADERS);
  const visitor = site.people.at(-1);
  const [first] = uploaders;
  if (!first || !visitor) throw new Error('nobody is there');
  const before = await Promise.all(uploaders.map(pictureOf));
  const changedPictures = (after: typeof before) =>
    after.filter(
      ({ where, status, text }, nth) =>
        status !== 200 || where !== before[nth]?.where || text !== before[nth].text,
    );
  const began = performance.now();
  begin();
  // The fault always ends, because a process waiting for a frozen disk cannot be ended.
  try {
    const tries = Promise.all(uploaders.map((person) => upload(person, red)));
    const signIn = await site.wire.ask(signInCall(visitor));
    if (signIn.status !== 200 || signIn.ms > SIGN_IN_MS)
      breaches.push(`a sign-in was answered ${signIn.status} after ${signIn.ms.toFixed(0)} ms`);
    const meanwhile = await Promise.all(uploaders.map(pictureOf));
    for (const code of await tries)
      if (code !== 'unavailable') breaches.push(`an upload was answered ${code}`);
    if (isReadable && changedPictures(meanwhile).length > 0) breaches.push('old pictures were not served');
    if (!isReadable && meanwhile.some(({ status }) => status !== 503))
      breaches.push(`old pictures were answered ${meanwhile.map(({ status }) => status).join()}`);
  } finally {
    end();
  }
  const ms = performance.now() - began;
  if (ms > REFUSED_WITHIN_MS) breaches.push(`refused after ${ms.toFixed(0)} ms`);
  const after = changedPictures(await Promise.all(uploaders.map(pictureOf)));
  if (after.length > 0) breaches.push(`${after.length} old pictures are not what they were`);
  if ((await upload(first, red)) !== 200) breaches.push('it did not come back');
  if ((await pictureOf(first)).where === before[0]?.where) breaches.push('the new picture does not show');
  return { breaches: breaches.map((words) => `${what}: ${words}`), summary: `${what} ${seconds(ms)}` };
}

async function withFaults(site: Site, faults: readonly Fault[], halves: () => readonly string[]) {
  const { wire, people } = site;
  const breaches: string[] = [];
  const ledger = new Ledger();
  await using load = startLoad({ wire, people, rate: RATE, mix, ledger });
  const { upload } = uploading(site);
  for (const [nth, person] of people.slice(0, UPLOADERS).entries())
    if ((await upload(person, nth)) !== 200) breaches.push('a first picture was refused');
  await pause(WARM_UP_MS);
  const summaries: string[] = [];
  const { leftovers } = await measureLeftovers(site.portals, async () => {
    for (const [nth, fault] of faults.entries()) {
      const result = await runFault(fault, site, 101 + nth);
      site.say(result.summary);
      summaries.push(result.summary);
      breaches.push(...result.breaches);
      // Partial files are removed once the disk works again.
      await until(`half files of: ${fault.what}`, GIVEN_UP_WITHIN_MS, () => halves().length === 0).catch(
        ({ message }: Error) => void breaches.push(message),
      );
    }
  });
  const samples = await load.stop();
  if (failuresIn(samples).length > 0) breaches.push(`others were answered ${statuses(samples)}`);
  breaches.push(
    ...leftovers,
    ...(await site.breaches({ ledgers: [ledger] })),
    ...(await site.look(brokenObjects)),
  );
  const summary = `${summaries.join(', ')}; ${samples.length} calls unaffected`;
  return [{ id: 'L8', breaches, summary } as const];
}

/** No row names a partial file, so every stored file is checked. */
async function brokenObjects({ storage }: Deps): Promise<string[]> {
  const breaches: string[] = [];
  for await (const { name } of storage.list()) {
    const bytes = await storage.get(name);
    if (bytes && !(await isDrawable(bytes))) breaches.push(`the stored file ${name} cannot be drawn`);
  }
  return breaches;
}

const onDisk = (disk: ReturnType<typeof smallDisk>): readonly Fault[] => [
  { what: 'full', begin: disk.fill, end: disk.empty, isReadable: true },
  { what: 'read-only', begin: disk.forbid, end: disk.allow, isReadable: true },
  { what: 'standing still', begin: disk.freeze, end: disk.thaw, isReadable: true },
];
const inStore = (store: Awaited<ReturnType<typeof startStore>>): readonly Fault[] =>
  Object.entries(storeFaults).map(([what, fault]) => ({
    what: `a store ${what}`,
    begin: () => store.misbehave(fault),
    end: store.behave,
    isReadable: what === 'full' || what === 'read-only',
  }));

/**
 * A separate disk for a single process if one can be mounted, and an S3 store for the balanced processes if
 * it is installed.
 */
export const driveFaults: Scenario = {
  ids: ['L8'],
  name: 'A disk or store for images that is full, read-only, stands still, or is down',
  needs: 'places',
  run: async (drill) => {
    await using parts = new AsyncDisposableStack();
    const disk = mayMount() ? parts.adopt(smallDisk(drill), (it) => it.remove()) : undefined;
    if (!disk) drill.leftOut('a disk, since none can be mounted here');
    const store = hasSwift() ? parts.adopt(await startStore(), (it) => it.stop()) : undefined;
    if (!store) drill.leftOut('a store, since Swift is not installed');
    const images = disk && path.join(disk.folder, 'images');
    const halves = () => (images ? readdirSync(images).filter((name) => name.endsWith('.part')) : []);
    const run = (site: Site) => {
      if (site.kind === 'embedded' && disk) return withFaults(site, onDisk(disk), halves);
      if (site.kind === 'balanced' && store) return withFaults(site, inStore(store), () => []);
      throw new Error('there is nothing to break');
    };
    return await atEachSite(drill, 'drive-faults', run, {
      where: [...(disk ? (['embedded'] as const) : []), ...(store ? (['balanced'] as const) : [])],
      environment: (kind): Record<string, string> =>
        kind === 'embedded' ? { STORAGE_URL: `file:${images}` } : { STORAGE_URL: store?.url ?? '' },
    });
  },
};
