// Decides from figures of the running processes what the operator has to look after, and says it in one line each.
import { counted } from '#contract/operator/act.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** Jobs that wait longer than this, and webhooks that fail longer, need a hand. */
const PATIENCE_MS = 5 * MINUTE_MS;
const BACKUP_AGE_MAX_MS = 7 * DAY_MS;
const LOCATIONS_AGE_MAX_MS = 365 * DAY_MS;
const KEY_AGE_MAX_MS = 90 * DAY_MS;
/** A restart one by one takes less. */
const RELEASES_DIFFER_MAX_MS = 60 * MINUTE_MS;
const DISK_FULL_PERCENT = 90;
const CLOCK_OFF_MAX_MS = 60_000;
/** Of a kind's jobs; single addresses that do not exist are no fault of the site. */
const GIVEN_UP_MAX_SHARE = 0.05;

export const checkNames = [
  'mails',
  'jobs',
  'given up',
  'webhooks',
  'sign-outs',
  'keys',
  'secret key',
  'locations',
  'disk',
  'backup',
  'clock',
  'requests',
  'storage',
  'brand',
  'processes',
] as const;
export type CheckName = (typeof checkNames)[number];

type Waiting = { readonly count: number; readonly since: Date; readonly reason: string | null };
export type Process = {
  readonly name: string;
  readonly release: string;
  readonly brand: string;
  /** Since when it runs this release and shows this brand. */
  readonly changedAt: Date;
  /** Why its bucket refuses a file. */
  readonly storageProblem: string | null;
  readonly storageSince: Date | null;
};
export type Figures = {
  readonly now: Date;
  readonly waiting: readonly (Waiting & { readonly kind: string; readonly application: string | null })[];
  readonly givenUp: readonly {
    kind: string;
    count: number;
    done: number;
    since: Date;
    reason: string | null;
  }[];
  /** Of the suite, with their addresses; those of organizations have none. */
  readonly webhooks: readonly (Waiting & { readonly url: string | null; readonly isOff: boolean })[];
  readonly newestKey: { readonly signsFrom: Date; readonly createdAt: Date } | null;
  /** The keys of SECRET_KEY behind the newest, and the rows that need an older key, known or not. */
  readonly olderKeys: readonly string[];
  readonly keyUses: readonly {
    readonly keyId: string;
    readonly isKnown: boolean;
    readonly words: string;
    readonly count: number;
  }[];
  readonly locationsFrom: Date;
  readonly disks: readonly { readonly folder: string; readonly usedPercent: number }[];
  /** The last backup, or the first row of the log; null for a site without rows. */
  readonly backedUpAt: Date | null;
  readonly clockOffMs: number;
  /** Acts at the desk that wait for a second operator. */
  readonly requests: readonly { readonly asked_at: Date }[];
  /** Those that run. */
  readonly processes: readonly Process[];
};

export type Finding = {
  readonly check: CheckName;
  /** Whether it needs a hand; otherwise it is only worth knowing. */
  readonly isBad: boolean;
  readonly since: Date | null;
  readonly says: string;
  /** The command that helps. */
  readonly act: string | null;
};

const because = (reason: string | null) => (reason === null ? '' : `: ${reason}`);

type Given = Omit<Finding, 'isBad' | 'since' | 'act'> & Partial<Finding>;
const finding = (given: Given): Finding => ({ isBad: true, since: null, act: null, ...given });

export function findingsIn(figures: Figures): Finding[] {
  const { now, newestKey, locationsFrom, backedUpAt, clockOffMs } = figures;
  const isOlder = (since: Date, ms: number) => now.getTime() - since.getTime() > ms;
  const findings: Finding[] = [];
  const add = (given: Given) => void findings.push(finding(given));
  for (const { kind, application, count, since, reason } of figures.waiting) {
    if (!isOlder(since, PATIENCE_MS)) continue;
    const [check, act] = waitingChecks[kind] ?? (['jobs', 'jobs'] as const);
    const whose = application === null ? '' : ` to ${application}`;
    add({
      check,
      since,
      says: `${counted(count, `${kind} job${whose} waits`, `${kind} jobs${whose} wait`)}${because(reason)}`,
      act,
    });
  }
  for (const { kind, count, done, since, reason } of figures.givenUp) {
    const isBad = count / (count + done) > GIVEN_UP_MAX_SHARE;
    const says = `${counted(count, `${kind} job was`, `${kind} jobs were`)} given up${because(reason)}`;
    add({ check: 'given up', isBad, since, says, act: 'retry all' });
  }
  for (const { url, isOff, count, since, reason } of figures.webhooks) {
    if (!isOff && !isOlder(since, PATIENCE_MS)) continue;
    const state = `${isOff ? 'switched off' : 'failing'}${because(reason)}`;
    // Super Admins look after those of organizations.
    if (url === null)
      add({
        check: 'webhooks',
        isBad: false,
        since,
        says: `${counted(count, 'webhook of organizations is', 'webhooks of organizations are')} ${state}`,
      });
    else
      add({
        check: 'webhooks',
        since,
        says: `${url} is ${state}`,
        act: `webhooks ${isOff ? 'resume' : 'test'} ${url}`,
      });
  }
  if (newestKey) {
    const { signsFrom, createdAt } = newestKey;
    const change = signsFrom > now ? signsFrom : new Date(createdAt.getTime() + KEY_AGE_MAX_MS);
    const says = `the keys that sign tokens change at ${change.toISOString()}`;
    // The hourly sweep replaces them on that day.
    if (isOlder(change, -7 * DAY_MS))
      add({ check: 'keys', isBad: isOlder(change, DAY_MS), says, act: 'keys list' });
  }
  for (const { keyId, isKnown, words, count } of figures.keyUses) {
    const opens = `the key ${keyId}, which opens ${counted(count, words)}`;
    const says = isKnown
      ? `SECRET_KEY must keep ${opens}; most move to the newest within an hour`
      : `SECRET_KEY lacks ${opens}: put it behind the newest`;
    add({ check: 'secret key', isBad: !isKnown, says });
  }
  for (const keyId of figures.olderKeys)
    if (!figures.keyUses.some((use) => use.keyId === keyId))
      add({
        check: 'secret key',
        isBad: false,
        says: `SECRET_KEY can go without the key ${keyId}: nothing needs it`,
      });
  if (isOlder(locationsFrom, LOCATIONS_AGE_MAX_MS / 2)) {
    const days = Math.floor((now.getTime() - locationsFrom.getTime()) / DAY_MS);
    const isBad = isOlder(locationsFrom, LOCATIONS_AGE_MAX_MS);
    const says = `the location data are ${days} days old; a newer release has newer ones`;
    add({ check: 'locations', isBad, since: locationsFrom, says });
  }
  for (const { folder, usedPercent } of figures.disks)
    if (usedPercent >= DISK_FULL_PERCENT)
      add({ check: 'disk', says: `the disk of ${folder} is ${Math.floor(usedPercent)} % full` });
  if (backedUpAt && isOlder(backedUpAt, BACKUP_AGE_MAX_MS))
    add({ check: 'backup', since: backedUpAt, says: 'there was no backup for a week', act: 'backup <file>' });
  else if (backedUpAt && isOlder(backedUpAt, DAY_MS))
    add({ check: 'backup', isBad: false, since: backedUpAt, says: 'there was no backup for a day' });
  if (Math.abs(clockOffMs) > CLOCK_OFF_MAX_MS) {
    const says = `the clock of this machine differs from that of the database by ${Math.round(clockOffMs / 1000)} s`;
    add({ check: 'clock', says });
  }
  const [oldest] = figures.requests;
  if (oldest) {
    const says = `${counted(figures.requests.length, 'act waits', 'acts wait')} for a second operator`;
    add({ check: 'requests', isBad: false, since: oldest.asked_at, says, act: 'requests' });
  }
  for (const given of processFindings(figures)) add(given);
  return findings;
}

/** Each value with the processes that have it: "Portico at one:3000 and two:3000". */
const places = (processes: readonly Process[], valueOf: (one: Process) => string) =>
  [...Map.groupBy(processes, valueOf)].map(
    ([value, having]) => `${value} at ${having.map(({ name }) => name).join(' and ')}`,
  );

function processFindings({ now, processes }: Figures): Given[] {
  const failing = processes.filter(({ storageProblem }) => storageProblem !== null);
  const storages = [...Map.groupBy(failing, ({ storageProblem }) => storageProblem)].map(
    ([problem, ones]) => {
      const [since] = ones.map(({ storageSince }) => storageSince).toSorted((a, b) => Number(a) - Number(b));
      const names = ones.map(({ name }) => name).join(' and ');
      return {
        check: 'storage',
        since: since ?? null,
        says: `${problem}, at ${names}`,
        act: 'storage test',
      } as const;
    },
  );
  const brands = places(processes, ({ brand }) => brand);
  const releases = places(processes, ({ release }) => release);
  const since = new Date(Math.max(...processes.map(({ changedAt }) => changedAt.getTime())));
  const lasts = (ms: number) => now.getTime() - since.getTime() > ms;
  return [
    ...storages,
    ...(brands.length > 1
      ? [
          {
            check: 'brand',
            since,
            isBad: lasts(PATIENCE_MS),
            says: `processes show ${brands.join(', ')}`,
          } as const,
        ]
      : []),
    ...(releases.length > 0
      ? [
          {
            check: 'processes',
            since,
            isBad: releases.length > 1 && lasts(RELEASES_DIFFER_MAX_MS),
            says: releases.join(', '),
          } as const,
        ]
      : []),
  ];
}

const waitingChecks: Readonly<Record<string, readonly [CheckName, string]>> = {
  mail: ['mails', 'mails test <address>'],
  'sign-out': ['sign-outs', 'applications list'],
};
