import { expect, test } from 'vitest';
import { type Figures, findingsIn, type Process } from './rules.ts';

const now = new Date('2026-12-24T12:00:00Z');
const MINUTE_MS = 60_000;
const DAY_MS = 1440 * MINUTE_MS;
const ago = (ms: number) => new Date(now.getTime() - ms);
const fine: Figures = {
  now,
  waiting: [],
  givenUp: [],
  webhooks: [],
  newestKey: { signsFrom: ago(DAY_MS), createdAt: ago(2 * DAY_MS) },
  olderKeys: [],
  keyUses: [],
  locationsFrom: ago(30 * DAY_MS),
  disks: [{ folder: '/data', usedPercent: 89.9 }],
  backedUpAt: ago(DAY_MS),
  clockOffMs: -60_000,
  requests: [],
  processes: [],
};
const at = (name: string, more: Partial<Process> = {}): Process => ({
  name,
  release: '1.0',
  brand: 'Portico',
  changedAt: ago(DAY_MS),
  storageProblem: null,
  storageSince: null,
  ...more,
});
const differ = (more: Partial<Process>) => ({ processes: [at('a:1'), at('b:1', more)] });
const away = { storageProblem: '404 NoSuchBucket', storageSince: ago(1) };
const waits = (kind: string, ms: number, application: string | null = null) => ({
  waiting: [{ kind, application, count: 2, since: ago(ms), reason: 'refused' }],
});
const gaveUp = (count: number, done: number) => ({
  givenUp: [{ kind: 'mail', count, done, since: ago(1), reason: null }],
});
const fails = (url: string | null, ms: number, isOff = false) => ({
  webhooks: [{ url, isOff, count: 3, since: ago(ms), reason: null }],
});
const key = (signsFrom: number, createdAt: number) => ({
  newestKey: { signsFrom: ago(signsFrom), createdAt: ago(createdAt) },
});
const url = 'https://sign.example/';

test.for<[figures: Partial<Figures>, says: string]>([
  [{}, ''],
  [waits('mail', 5 * MINUTE_MS), ''],
  [waits('mail', 5 * MINUTE_MS + 1), '! mails: 2 mail jobs wait: refused → mails test <address>'],
  [
    waits('sign-out', DAY_MS, 'Sign'),
    '! sign-outs: 2 sign-out jobs to Sign wait: refused → applications list',
  ],
  [waits('export', DAY_MS), '! jobs: 2 export jobs wait: refused → jobs'],
  [gaveUp(5, 95), '- given up: 5 mail jobs were given up → retry all'],
  [gaveUp(6, 94), '! given up: 6 mail jobs were given up → retry all'],
  [gaveUp(1, 0), '! given up: 1 mail job was given up → retry all'],
  [fails(url, 5 * MINUTE_MS), ''],
  [fails(url, DAY_MS), `! webhooks: ${url} is failing → webhooks test ${url}`],
  [fails(url, 0, true), `! webhooks: ${url} is switched off → webhooks resume ${url}`],
  [fails(null, DAY_MS), '- webhooks: 3 webhooks of organizations are failing'],
  [{ requests: [{ asked_at: ago(1) }] }, '- requests: 1 act waits for a second operator → requests'],
  [{ newestKey: null }, ''],
  [key(-DAY_MS, 0), '- keys: the keys that sign tokens change at 2026-12-25T12:00:00.000Z → keys list'],
  [key(0, 83 * DAY_MS), ''],
  [key(0, 84 * DAY_MS), '- keys: the keys that sign tokens change at 2026-12-30T12:00:00.000Z → keys list'],
  [key(0, 92 * DAY_MS), '! keys: the keys that sign tokens change at 2026-12-22T12:00:00.000Z → keys list'],
  [
    { olderKeys: ['0a'], keyUses: [{ keyId: '0a', isKnown: true, words: 'password', count: 3 }] },
    '- secret key: SECRET_KEY must keep the key 0a, which opens 3 passwords; most move to the newest within an hour',
  ],
  [
    { keyUses: [{ keyId: '0a', isKnown: false, words: 'password', count: 3 }] },
    '! secret key: SECRET_KEY lacks the key 0a, which opens 3 passwords: put it behind the newest',
  ],
  [{ olderKeys: ['0a'] }, '- secret key: SECRET_KEY can go without the key 0a: nothing needs it'],
  [
    { locationsFrom: ago(183 * DAY_MS) },
    '- locations: the location data are 183 days old; a newer release has newer ones',
  ],
  [
    { locationsFrom: ago(366 * DAY_MS) },
    '! locations: the location data are 366 days old; a newer release has newer ones',
  ],
  [{ disks: [{ folder: '/data', usedPercent: 91.7 }] }, '! disk: the disk of /data is 91 % full'],
  [{ backedUpAt: null }, ''],
  [{ backedUpAt: ago(DAY_MS + 1) }, '- backup: there was no backup for a day'],
  [{ backedUpAt: ago(7 * DAY_MS) }, '- backup: there was no backup for a day'],
  [{ backedUpAt: ago(7 * DAY_MS + 1) }, '! backup: there was no backup for a week → backup <file>'],
  [differ({}), '- processes: 1.0 at a:1 and b:1'],
  [differ({ release: '1.1', changedAt: ago(60 * MINUTE_MS) }), '- processes: 1.0 at a:1, 1.1 at b:1'],
  [differ({ release: '1.1', changedAt: ago(60 * MINUTE_MS + 1) }), '! processes: 1.0 at a:1, 1.1 at b:1'],
  [
    differ({ brand: 'North', changedAt: ago(5 * MINUTE_MS) }),
    '- brand: processes show Portico at a:1, North at b:1,- processes: 1.0 at a:1 and b:1',
  ],
  [
    differ({ brand: 'North', changedAt: ago(5 * MINUTE_MS + 1) }),
    '! brand: processes show Portico at a:1, North at b:1,- processes: 1.0 at a:1 and b:1',
  ],
  [differ(away), '! storage: 404 NoSuchBucket, at b:1 → storage test,- processes: 1.0 at a:1 and b:1'],
  [
    { processes: [at('a:1', away), at('b:1', away)] },
    '! storage: 404 NoSuchBucket, at a:1 and b:1 → storage test,- processes: 1.0 at a:1 and b:1',
  ],
  [{ clockOffMs: 61_000 }, '! clock: the clock of this machine differs from that of the database by 61 s'],
])('%j: %s', ([figures, says]) => {
  const words = findingsIn({ ...fine, ...figures }).map(
    ({ check, isBad, says: sentence, act }) =>
      `${isBad ? '!' : '-'} ${check}: ${sentence}${act === null ? '' : ` → ${act}`}`,
  );
  expect(words.join()).toBe(says);
});
