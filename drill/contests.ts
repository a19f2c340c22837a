import { setTimeout as pause } from 'node:timers/promises';
import type { Deps } from '#server/deps.ts';
import { contestedKinds, type Ledger } from './ledger.ts';
import { any, type Sample, sampleOf, signInCall } from './load.ts';
import { networkOf, PASSWORD, type Person, populate } from './people.ts';
import { cookieFrom, type Reply, type Wire } from './wire.ts';
import { callFor, newPassword, newStanding, type Outcome, type Standing, type Write } from './writes.ts';

/** People who change each other and their own sessions during a fault; the load does not use them. */
export interface Contestants {
  readonly rivals: readonly (readonly [Person, Person])[];
  /** People used once: each changes their password repeatedly or deletes their account. */
  readonly once: Person[];
}

const RIVALRIES = 3;
const ONCE = 300;
const CHANGERS = 2;
const RIVALS_EVERY_MS = 1000;
const CHANGE_EVERY_MS = 2000;
const DELETE_EVERY_MS = 3000;
const AGAIN_AFTER_MS = 300;
const EACH_WITHIN_MS = 20_000;
const UNAVAILABLE = new Set([0, 502, 503]);
/** The number of processes, which take turns. */
const BOTH = 2;
const isRefusal = ({ status }: Reply) => status >= 400 && status < 500;

export async function populateContest(deps: Deps): Promise<Contestants> {
  const rivals = await populate(deps, RIVALRIES, 2, 2);
  const [, ...once] = await populate(deps, 1, ONCE + 1);
  const pairs = [...Map.groupBy(rivals, ({ orgId }) => orgId).values()];
  return { rivals: pairs.map(([one, other]) => [one, other] as [Person, Person]), once };
}

interface Options {
  readonly wire: Wire;
  readonly contestants: Contestants;
  readonly ledger: Ledger;
}

/** Runs conflicting writes until it is stopped, and notes breaches in the ledger. */
export function startContests({ wire, contestants: { rivals, once }, ledger }: Options) {
  const end = new AbortController();
  const over = new Promise((resolve) => end.signal.addEventListener('abort', resolve));
  const rest = (ms: number) => Promise.race([pause(ms), over]);
  const samples: Sample[] = [];
  const attempt = async (write: Write) => {
    const at = performance.now();
    const reply = await wire.ask(callFor(write));
    // The loser of a race is refused, which is correct.
    if (!isRefusal(reply)) samples.push(sampleOf('write', at, reply));
    return ledger.record(write, reply);
  };

  /** Each demotes the other; the winner then makes the loser a Super Admin again. */
  const compete = async ([one, other]: readonly [Person, Person]) => {
    const { superAdminRoleId, roleId } = one;
    const inPlace: Standing = { roleId: superAdminRoleId, status: 2 };
    const out = any<Standing>([
      { roleId, status: 2 },
      { roleId: superAdminRoleId, status: 3 },
      { roleId: superAdminRoleId, status: 4 },
    ]);
    await Promise.all([attempt(newStanding(one, other, out)), attempt(newStanding(other, one, out))]);
    while (!end.signal.aborted) {
      const outcomes: Outcome[] = [];
      for (const [by, of] of [
        [one, other],
        [other, one],
      ] as const) {
        const outcome = await attempt(newStanding(by, of, inPlace));
        if (outcome === 'acknowledged') return;
        outcomes.push(outcome);
      }
      if (outcomes.every((outcome) => outcome === 'refused')) {
        ledger.note(`organization ${one.orgId} has nobody left who may make a Super Admin`);
        return;
      }
      await rest(AGAIN_AFTER_MS);
    }
  };

  /** A session opened with one of these passwords, which moves to the front; undefined if none works. */
  const signIn = async (person: Person, passwords: string[]) => {
    const statuses: number[] = [];
    // From a different network each time, so that no limit of other tries applies.
    const by = { ...person, from: networkOf(Math.floor(Math.random() * 2 ** 24)) };
    // Twice, because a password change of unknown outcome may be committed in between.
    for (const password of [...passwords, ...passwords]) {
      const reply = await wire.ask(signInCall(by, undefined, password));
      statuses.push(reply.status);
      if (reply.status !== 200) continue;
      passwords.sort((a, b) => Number(b === password) - Number(a === password));
      const [name = ''] = person.cookie.split('=');
      return { ...by, cookie: `${name}=${cookieFrom(reply, name)}` };
    }
    if (statuses.every((status) => status === 401))
      ledger.note(`${person.email} knows no password that opens`);
    return undefined;
  };

  /** Changes a password while another session is open, which must have ended once the change is acknowledged. */
  const change = async (person: Person, passwords: string[]) => {
    const [own, other] = [await signIn(person, passwords), await signIn(person, passwords)];
    const [old] = passwords;
    if (!own || !other || old === undefined) return;
    const password = newPassword();
    const outcome = await attempt({ kind: 'password', by: own, old, password });
    if (outcome !== 'refused') passwords.unshift(password);
    if (outcome !== 'acknowledged') return;
    passwords.length = 1;
    for (let turn = 0; turn < BOTH && !end.signal.aborted;) {
      const { status } = await wire.ask({ method: 'GET', path: '/api/orgs', cookie: other.cookie });
      if (status === 401) turn += 1;
      else if (UNAVAILABLE.has(status)) await rest(AGAIN_AFTER_MS);
      else {
        ledger.note(`a session that is older than the password was answered ${status}`);
        return;
      }
    }
  };

  const all = rivals.map((pair) => ({ act: () => compete(pair), everyMs: RIVALS_EVERY_MS }));
  for (const person of once.splice(0, CHANGERS)) {
    const passwords = [PASSWORD];
    all.push({ act: () => change(person, passwords), everyMs: CHANGE_EVERY_MS });
  }
  const leave = async () => {
    const by = once.shift();
    if (by) await attempt({ kind: 'deletion', by, password: PASSWORD });
  };
  all.push({ act: leave, everyMs: DELETE_EVERY_MS });

  const running = all.map(async ({ act, everyMs }) => {
    while (!end.signal.aborted) {
      await rest(everyMs);
      await act();
    }
  });
  const finish = async () => {
    end.abort();
    await Promise.all(running);
    return samples;
  };
  const missing = () => contestedKinds.filter((kind) => ledger.count('acknowledged', kind) === 0);
  /** Lets each finish their current step, and returns the results of all writes except refusals of losers. */
  const stop = async () => {
    // A short fault may leave no time for a write of each kind.
    for (const since = performance.now(); missing().length > 0 && performance.now() - since < EACH_WITHIN_MS;)
      await pause(AGAIN_AFTER_MS);
    for (const kind of missing()) ledger.note(`no ${kind} was contested`);
    return finish();
  };
  return { stop, [Symbol.asyncDispose]: async () => void (await finish()) };
}
