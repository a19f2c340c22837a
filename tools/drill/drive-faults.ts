import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import sharp from 'sharp';
import type { Deps } from '#server/deps.ts';
import { codeIn, raw } from '#server/testing/raw.ts';
import { hasSwift } from '#server/testing/swift.ts';
import { seconds } from './crashes.ts';
import { isDrawable, keptFrom } from './invariants.ts';
import { Ledger } from './ledger.ts';
import { failed, signInCall, startLoad, statuses } from './load.ts';
import { mayMount } from './packages.ts';
import type { Person } from './people.ts';
import { atEachPlace, type Place } from './place.ts';
import { until } from './processes.ts';
import type { Drill, Scenario } from './scenario.ts';
import { HOST } from './single.ts';
import { startStore, storeFaults } from './store.ts';

const DISK_BYTES = 8 * 2 ** 20;

/** A small disk of its own, in a file. */
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
          // Once more than there is room for, and no more: were it no disk of its own, nothing else may be filled.
          for (let left = DISK_BYTES; left >= 0; left -= size)
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

/** A picture that no other is like. */
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
/** The embedded database opens the files of each table that it is asked of, and keeps them. */
const WARM_UP_MS = 10_000;

/** Something that can be wrong with where images lie. */
interface Fault {
  readonly what: string;
  readonly begin: () => void;
  readonly end: () => void;
  /** Whether pictures that lie there are served meanwhile. */
  readonly isReadable: boolean;
}

/** What an uploader may do, and see. */
function uploading({ door }: Pick<Place, 'door'>) {
  const call = (person: Person, method: string, where: string, form?: { type: string; body: Buffer }) =>
    raw(door.url, method, where, {
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
  const shown = async (person: Person) => {
    const user = JSON.parse((await call(person, 'GET', '/api/user')).text) as {
      response?: { profile_picture_url?: string };
    };
    const where = user.response?.profile_picture_url ?? '';
    const { status, text } = await call(person, 'GET', where.replace(/^https?:\/\/[^/]+/, ''));
    return { where, status, text };
  };
  return { upload, shown };
}

/** While something is wrong all six try a new picture and keep the old one; afterwards the first of them gets a new one. */
async function under({ what, begin, end, isReadable }: Fault, place: Place, red: number) {
  const broken: string[] = [];
  const { upload, shown } = uploading(place);
  const uploaders = place.people.slice(0, UPLOADERS);
  const visitor = place.people.at(-1);
  const [first] = uploaders;
  if (!first || !visitor) throw new Error('nobody is there');
  const before = await Promise.all(uploaders.map(shown));
  const changed = (after: typeof before) =>
    after.filter(
      ({ where, status, text }, nth) =>
        status !== 200 || where !== before[nth]?.where || text !== before[nth].text,
    );
  const began = performance.now();
  begin();
  // Whatever happens, the disk works again: nothing that waits for a frozen one can be ended.
  try {
    const tries = Promise.all(uploaders.map((person) => upload(person, red)));
    const signIn = await place.wire.ask(signInCall(visitor));
    if (signIn.status !== 200 || signIn.ms > SIGN_IN_MS)
      broken.push(`a sign-in was answered ${signIn.status} after ${signIn.ms.toFixed(0)} ms`);
    const meanwhile = await Promise.all(uploaders.map(shown));
    for (const code of await tries) if (code !== 'unavailable') broken.push(`an upload was answered ${code}`);
    if (isReadable && changed(meanwhile).length > 0) broken.push('old pictures were not served');
    if (!isReadable && meanwhile.some(({ status }) => status !== 503))
      broken.push(`old pictures were answered ${meanwhile.map(({ status }) => status).join()}`);
  } finally {
    end();
  }
  const ms = performance.now() - began;
  if (ms > REFUSED_WITHIN_MS) broken.push(`told after ${ms.toFixed(0)} ms`);
  const after = changed(await Promise.all(uploaders.map(shown)));
  if (after.length > 0) broken.push(`${after.length} old pictures are not what they were`);
  if ((await upload(first, red)) !== 200) broken.push('it did not come back');
  if ((await shown(first)).where === before[0]?.where) broken.push('the new picture does not show');
  return { broken: broken.map((words) => `${what}: ${words}`), told: `${what}: told in ${seconds(ms)}` };
}

async function withFaults(place: Place, faults: readonly Fault[], halves: () => readonly string[]) {
  const { wire, people } = place;
  const broken: string[] = [];
  const ledger = new Ledger();
  await using load = startLoad({ wire, people, rate: RATE, mix, ledger });
  const { upload } = uploading(place);
  for (const [nth, person] of people.slice(0, UPLOADERS).entries())
    if ((await upload(person, nth)) !== 200) broken.push('a first picture was refused');
  await pause(WARM_UP_MS);
  const told: string[] = [];
  const { kept } = await keptFrom(place.portals, async () => {
    for (const [nth, fault] of faults.entries()) {
      const found = await under(fault, place, 101 + nth);
      place.say(found.told);
      told.push(found.told);
      broken.push(...found.broken);
      // What the portal gave up is taken away once the disk lets it.
      await until(`half files of: ${fault.what}`, GIVEN_UP_WITHIN_MS, () => halves().length === 0).catch(
        ({ message }: Error) => void broken.push(message),
      );
    }
  });
  const samples = await load.stop();
  if (failed(samples).length > 0) broken.push(`others were answered ${statuses(samples)}`);
  broken.push(...kept, ...(await place.broken({ ledgers: [ledger] })), ...(await place.look(brokenObjects)));
  const measured = `${told.join(', ')}; sign-ins and ${samples.length} other calls meanwhile as ever, the next upload taken`;
  return [{ id: 'L8', broken, measured } as const];
}

/** Nobody names what was left half-way, so all that is stored is looked at. */
async function brokenObjects({ storage }: Deps): Promise<string[]> {
  const broken: string[] = [];
  for await (const { name } of storage.list()) {
    const bytes = await storage.get(name);
    if (bytes && !(await isDrawable(bytes))) broken.push(`what is stored as ${name} can't be shown`);
  }
  return broken;
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

/** A disk of the process's own where one can be mounted, and an S3 store behind the balanced ones where it is installed. */
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
    const run = (place: Place) => {
      if (place.kind === 'embedded' && disk) return withFaults(place, onDisk(disk), halves);
      if (place.kind === 'balanced' && store) return withFaults(place, inStore(store), () => []);
      throw new Error('there is nothing to break');
    };
    return await atEachPlace(drill, 'drive-faults', run, {
      where: [...(disk ? (['embedded'] as const) : []), ...(store ? (['balanced'] as const) : [])],
      environment: (kind): Record<string, string> =>
        kind === 'embedded' ? { STORAGE_URL: `file:${images}` } : { STORAGE_URL: store?.url ?? '' },
    });
  },
};
