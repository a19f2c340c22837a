import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';
import { codeIn, raw } from '#server/testing/raw.ts';
import { signInCall } from './load.ts';
import type { Person } from './people.ts';
import { type Drill, type Scenario, unless } from './scenario.ts';
import { HOST, startSingle } from './single.ts';

/** A small disk of its own, in a file. */
function smallDisk(drill: Drill) {
  const home = drill.folder('small-disk');
  const [image, folder] = [path.join(home, 'image'), path.join(home, 'disk')];
  const run = (program: string, ...args: string[]) => execFileSync(program, args, { stdio: 'pipe' });
  run('truncate', '-s', '8M', image);
  run('mkfs.ext4', '-q', '-m', '0', image);
  mkdirSync(folder);
  run('mount', '-o', 'loop', image, folder);
  const filler = path.join(folder, 'filler');
  return {
    folder,
    fill: () => {
      for (let size = 2 ** 20; size >= 2 ** 10; size /= 2)
        try {
          for (;;) writeFileSync(filler, Buffer.alloc(size), { flag: 'a' });
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

export const driveFaults: Scenario = {
  ids: ['L8'],
  name: 'A disk for images that is full, read-only, or stands still',
  needs: 'mounts',
  run: async (drill) => {
    const disk = smallDisk(drill);
    try {
      return [await onSmallDisk(drill, disk)];
    } finally {
      disk.remove();
    }
  },
};

async function onSmallDisk(drill: Drill, disk: ReturnType<typeof smallDisk>) {
  const images = path.join(disk.folder, 'images');
  const single = await startSingle(drill, 'drive-faults', { STORAGE_URL: `file:${images}` });
  const { people, portal, wire } = single;
  const broken: string[] = [];
  const call = (person: Person, method: string, where: string, form?: { type: string; body: Buffer }) =>
    raw(portal.url, method, where, {
      headers: { host: HOST, cookie: person.cookie, ...(form && { 'content-type': form.type }) },
      ...(form && { body: form.body }),
    });
  const upload = async (person: Person, red: number) => {
    const form = new FormData();
    form.set('permission', '1');
    form.set('file', new File([new Uint8Array(await picture(red))], 'me.png'));
    const whole = new Response(form);
    const type = whole.headers.get('content-type') ?? '';
    return call(person, 'POST', '/drive/profile', { type, body: Buffer.from(await whole.arrayBuffer()) });
  };
  const shown = async (person: Person) => {
    const user = JSON.parse((await call(person, 'GET', '/api/user')).text) as {
      response?: { profile_picture_url?: string };
    };
    const where = user.response?.profile_picture_url ?? '';
    const { status, text } = await call(person, 'GET', where.replace(/^https?:\/\/[^/]+/, ''));
    return { where, status, text };
  };
  const [first, visitor] = [people[0], people.at(-1)];
  if (!first || !visitor) throw new Error('nobody is there');
  const uploaders = people.slice(0, 6);
  for (const [nth, person] of uploaders.entries())
    if (codeIn(await upload(person, nth)) !== 200) broken.push('a first picture was refused');
  const took: Record<string, number> = {};
  /** While something is wrong all six try a new picture and keep the old one; afterwards the first of them gets a new one. */
  const fault = async (what: string, begin: () => unknown, end: () => unknown, red: number) => {
    const before = await Promise.all(uploaders.map(shown));
    begin();
    const began = performance.now();
    const tries = Promise.all(uploaders.map((person) => upload(person, red)));
    const signIn = await wire.ask(signInCall(visitor));
    if (signIn.status !== 200 || signIn.ms > SIGN_IN_MS)
      broken.push(`${what}: a sign-in was answered ${signIn.status} after ${signIn.ms.toFixed(0)} ms`);
    const after = await Promise.all(uploaders.map(shown));
    for (const answer of await tries)
      if (codeIn(answer) !== 'unavailable') broken.push(`${what}: an upload was answered ${codeIn(answer)}`);
    took[what] = performance.now() - began;
    if (took[what] > REFUSED_WITHIN_MS) broken.push(`${what}: told after ${took[what].toFixed(0)} ms`);
    for (const [nth, { where, status, text }] of after.entries())
      if (status !== 200 || where !== before[nth]?.where || text !== before[nth].text)
        broken.push(`${what}: an old picture is ${status}`);
    end();
    if (codeIn(await upload(first, red)) !== 200) broken.push(`${what}: it did not come back`);
    if ((await shown(first)).where === before[0]?.where)
      broken.push(`${what}: the new picture does not show`);
    const parts = readdirSync(images).filter((name) => name.endsWith('.part'));
    if (parts.length > 0) broken.push(`${what}: ${parts.length} half files`);
  };
  await fault('full', disk.fill, disk.empty, 101);
  await fault('read-only', disk.forbid, disk.allow, 102);
  await fault('standing still', disk.freeze, disk.thaw, 103);
  broken.push(...(await single.broken()));
  const times = Object.entries(took).map(([what, ms]) => `${what}: told in ${(ms / 1000).toFixed(1)} s`);
  return drill.figure({
    id: 'L8',
    ...unless(
      broken,
      `${times.join(', ')}; sign-ins meanwhile as ever, old pictures served, the next upload taken`,
    ),
  });
}
