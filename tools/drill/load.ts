import { setTimeout as pause } from 'node:timers/promises';
import type { Ledger } from './ledger.ts';
import { PASSWORD, type Person } from './people.ts';
import type { Asked, Reply, Wire } from './wire.ts';
import { callFor, newWrite } from './writes.ts';

type Kind = 'read' | 'write' | 'sign-in';
/** How many of a hundred calls are of each kind; the rest are reads. */
export interface Mix {
  readonly writes: number;
  readonly signIns: number;
}
export const usualMix: Mix = { writes: 15, signIns: 5 };

export interface Sample {
  readonly kind: Kind;
  /** When it was sent, as `performance.now()` tells. */
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
  /** Requests a second, sent when they are due however many wait for an answer. */
  readonly rate: number;
  readonly mix?: Mix;
  /** Where writes are noted; without one nothing is written. */
  readonly ledger?: Ledger;
}

export const any = <T>(list: readonly T[]): T => {
  const one = list[Math.floor(Math.random() * list.length)];
  if (one === undefined) throw new Error('there is nobody to ask for');
  return one;
};

const TICK_MS = 5;

/** Sends a mix of calls at a steady rate until it is stopped. */
export function startLoad({ wire, people, rate, mix = usualMix, ledger }: Options) {
  const samples: Sample[] = [];
  const founders = people.filter(({ isFounder }) => isFounder);
  /** One write of a person at a time: the ledger has to know their order. */
  const writing = new Set<Person>();
  const readers = people.filter(({ isVisitor }) => !isVisitor);
  const visitors = people.filter(({ isVisitor }) => isVisitor);
  /** What a visitor's browser was given last: it is known, and its next session takes the place of this one. */
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
    const asked = (lot > 0.95 && ledger.removal(by)) || newWrite(kind, by, ledger.role(by));
    const at = performance.now();
    const reply = await wire.ask(callFor(asked));
    ledger.record(asked, reply);
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
    const sent = lot < mix.signIns ? signIn() : lot < mix.signIns + mix.writes ? write() : read();
    underWay.add(sent);
    void sent.finally(() => underWay.delete(sent));
  };

  let pace = rate;
  const run = async () => {
    let due = 0;
    for (let looked = performance.now(); !end.signal.aborted; await pause(TICK_MS)) {
      const now = performance.now();
      due += ((now - looked) / 1000) * pace;
      looked = now;
      for (; due >= 1; due -= 1) send();
    }
  };
  const running = run();
  /** Sends no more, waits for what is under way, and returns what came of it all. */
  const stop = async () => {
    end.abort();
    await running;
    await Promise.all(underWay);
    return samples;
  };
  return {
    samples,
    ledger,
    /** Sends so many a second from now on. */
    goOnAt: (to: number) => {
      pace = to;
    },
    /** How many wait for their answer. */
    waiting: () => underWay.size,
    stop,
    [Symbol.asyncDispose]: async () => void (await stop()),
  };
}
export type Load = ReturnType<typeof startLoad>;

/** A sign-in from somebody's own network, in a browser with these cookies. */
export const signInCall = ({ email, from }: Person, cookie?: string, password = PASSWORD): Asked => ({
  method: 'POST',
  path: '/api/signin',
  body: { email_id: email, password, timezone: 'Europe/Stockholm' },
  cookie,
  from,
});

/** The time within which so many of a hundred were answered. */
export function percentile(samples: readonly Sample[], share: number): number {
  const sorted = samples.map(({ ms }) => ms).toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * share) / 100))] ?? Number.NaN;
}

/** How often each status came, the most frequent first; of failures, whose they were. */
export function statuses(samples: readonly Pick<Sample, 'status' | 'failure'>[]): string {
  const nameOf = ({ status, failure }: Pick<Sample, 'status' | 'failure'>) =>
    [status === 0 ? 'cut' : String(status), failure && `(${failure})`].filter(Boolean).join(' ');
  return [...Map.groupBy(samples, nameOf)]
    .toSorted(([, a], [, b]) => b.length - a.length)
    .map(([name, all]) => `${all.length} × ${name}`)
    .join(', ');
}

/** Whether somebody would have seen it fail for our sake: nothing of the load asks for what may not be, but too much of it is refused. */
export const isFailure = ({ status }: Pick<Sample, 'status'>) =>
  status === 0 || (status >= 400 && status !== 429);
export const failed = (samples: readonly Sample[]) => samples.filter(isFailure);
export const within = (samples: readonly Sample[], from: number, to = Number.POSITIVE_INFINITY) =>
  samples.filter(({ at }) => at >= from && at < to);
