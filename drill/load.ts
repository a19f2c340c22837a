import { setTimeout as pause } from 'node:timers/promises';
import type { Ledger } from './ledger.ts';
import { PASSWORD, type Person } from './people.ts';
import type { WireRequest, Reply, Wire } from './wire.ts';
import { callFor, newWrite } from './writes.ts';

type Kind = 'read' | 'write' | 'sign-in';
/** The percentage of each kind of call; the rest are reads. */
export interface Mix {
  readonly writes: number;
  readonly signIns: number;
}
export const usualMix: Mix = { writes: 15, signIns: 5 };

export interface Sample {
  readonly kind: Kind;
  /** When it was sent, by `performance.now()`. */
  readonly at: number;
  readonly ms: number;
  readonly status: number;
  readonly hasRetryAfter: boolean;
  readonly failure?: string | undefined;
}

export const sampleOf = (kind: Kind, at: number, { status, ms, hasRetryAfter, failure }: Reply): Sample => ({
  kind,
  at,
  ms,
  status,
  hasRetryAfter,
  failure,
});

const reads: readonly ((person: Person) => string)[] = [
  () => '/api/ustat',
  () => '/api/ustat',
  () => '/api/ustat',
  ({ orgId }) => `/api/init?org_id=${orgId}`,
  () => '/api/usersession',
  () => '/api/orgs',
  ({ orgId }) => `/api/user?org_id=${orgId}`,
  ({ orgId }) => `/api/auditlogs?org_id=${orgId}&limit=50`,
  ({ orgId, isFounder }) => (isFounder ? `/api/orgusers?org_id=${orgId}` : '/api/emailnotify'),
  ({ orgId }) => `/api/notifications?org_id=${orgId}`,
];

interface Options {
  readonly wire: Wire;
  readonly people: readonly Person[];
  /** Requests per second, sent on schedule however many are pending. */
  readonly rate: number;
  readonly mix?: Mix;
  readonly ledger?: Ledger;
}

export const any = <T>(list: readonly T[]): T => {
  const one = list[Math.floor(Math.random() * list.length)];
  if (one === undefined) throw new Error('there is nobody to ask for');
  return one;
};

const TICK_MS = 5;

export function startLoad({ wire, people, rate, mix = usualMix, ledger }: Options) {
  const samples: Sample[] = [];
  const founders = people.filter(({ isFounder }) => isFounder);
  /** One write per person at a time, because the ledger has to know their order. */
  const writing = new Set<Person>();
  const readers = people.filter(({ isVisitor }) => !isVisitor);
  const visitors = people.filter(({ isVisitor }) => isVisitor);
  /** The latest cookies of each visitor's browser: its next session replaces the last one. */
  const jars = new Map<Person, string>();
  const underWay = new Set<Promise<void>>();
  const end = new AbortController();

  const note = (kind: Kind, at: number, reply: Reply) => void samples.push(sampleOf(kind, at, reply));

  const write = async () => {
    const free = founders.filter((person) => !writing.has(person));
    if (!ledger || free.length === 0) return read();
    const by = any(free);
    writing.add(by);
    const lot = Math.random();
    const kind = lot < 0.65 ? 'name' : lot < 0.8 ? 'role' : 'invitation';
    const entry = (lot > 0.95 && ledger.removal(by)) || newWrite(kind, by, ledger.role(by));
    const at = performance.now();
    const reply = await wire.ask(callFor(entry));
    ledger.record(entry, reply);
    writing.delete(by);
    return note('write', at, reply);
  };

  const read = async () => {
    const person = any(readers);
    const { cookie, from } = person;
    const at = performance.now();
    note('read', at, await wire.ask({ method: 'GET', path: any(reads)(person), cookie, from }));
  };

  const signIn = async () => {
    const person = any(visitors.length > 0 ? visitors : people);
    const at = performance.now();
    const reply = await wire.ask(signInCall(person, jars.get(person)));
    if (reply.status === 200) jars.set(person, reply.cookies.map((line) => line.split(';', 1)[0]).join('; '));
    note('sign-in', at, reply);
  };

  const send = () => {
    const lot = Math.random() * 100;
    const call = lot < mix.signIns ? signIn() : lot < mix.signIns + mix.writes ? write() : read();
    underWay.add(call);
    void call.finally(() => underWay.delete(call));
  };

  let pace = rate;
  const run = async () => {
    let due = 0;
    for (let lastTick = performance.now(); !end.signal.aborted; await pause(TICK_MS)) {
      const now = performance.now();
      due += ((now - lastTick) / 1000) * pace;
      lastTick = now;
      for (; due >= 1; due -= 1) send();
    }
  };
  const running = run();
  const stop = async () => {
    end.abort();
    await running;
    await Promise.all(underWay);
    return samples;
  };
  return {
    samples,
    goOnAt: (to: number) => {
      pace = to;
    },
    stop,
    [Symbol.asyncDispose]: async () => void (await stop()),
  };
}
export type Load = ReturnType<typeof startLoad>;

/** A sign-in from the person's own network, in a browser with these cookies. */
export const signInCall = ({ email, from }: Person, cookie?: string, password = PASSWORD): WireRequest => ({
  method: 'POST',
  path: '/api/signin',
  body: { email_id: email, password, timezone: 'Europe/Stockholm' },
  cookie,
  from,
});

export function percentile(samples: readonly Pick<Sample, 'ms'>[], share: number): number {
  const sorted = samples.map(({ ms }) => ms).toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * share) / 100))] ?? Number.NaN;
}

/** The count of each status, most frequent first; failures of another origin than the portal name it. */
export function statuses(samples: readonly Pick<Sample, 'status' | 'failure'>[]): string {
  const outcomeName = ({ status, failure }: Pick<Sample, 'status' | 'failure'>) =>
    [status === 0 ? 'cut' : String(status), failure && failure !== 'the portal' && `(${failure})`]
      .filter(Boolean)
      .join(' ');
  return [...Map.groupBy(samples, outcomeName)]
    .toSorted(([, a], [, b]) => b.length - a.length)
    .map(([name, all]) => `${all.length}×${name}`)
    .join(', ');
}

/** The load sends only valid requests, so only 429 is acceptable. */
export const isFailure = ({ status }: Pick<Sample, 'status'>) =>
  status === 0 || (status >= 400 && status !== 429);
export const failuresIn = (samples: readonly Sample[]) => samples.filter(isFailure);
export const within = (samples: readonly Sample[], from: number, to = Number.POSITIVE_INFINITY) =>
  samples.filter(({ at }) => at >= from && at < to);
