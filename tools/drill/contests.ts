import { setTimeout as pause } from 'node:timers/promises';
import type { Deps } from '#server/deps.ts';
import { contestedKinds, type Ledger } from './ledger.ts';
import { any, type Sample, sampleOf, signInCall } from './load.ts';
import { networkOf, PASSWORD, type Person, populate } from './people.ts';
import { cookieFrom, type Reply, type Wire } from './wire.ts';
import { callFor, newPassword, newStanding, type Outcome, type Standing, type Write } from './writes.ts';

/** Those who act on each other, and on all that they have open, while something is broken; the load leaves them alone. */
export interface Contestants {
  /** Two Super Admins of an organization each, either of whom wants to be the only one. */
  readonly rivals: readonly (readonly [Person, Person])[];
  /** Each takes part once: changes their password all the time, or deletes their account. */
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
/** As many as there are processes, which take turns. */
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

/** Has people fight for what only one can have, until it is stopped; what may not be is noted in the ledger. */
export function startContests({ wire, contestants: { rivals, once }, ledger }: Options) {
  const end = new AbortController();
  const over = new Promise((resolve) => end.signal.addEventListener('abort', resolve));
  const rest = (ms: number) => Promise.race([pause(ms), over]);
  const samples: Sample[] = [];
  const attempt = async (write: Write) => {
    const at = performance.now();
    const reply = await wire.ask(callFor(write));
    // Who loses is refused, and that is how it should be.
    if (!isRefusal(reply)) samples.push(sampleOf('write', at, reply));
    return ledger.record(write, reply);
  };

  /** Each takes the other's place away; whoever is left makes the other a Super Admin again. */
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

  /** A session that opens with one of these passwords, found first; undefined while none can be opened. */
  const signIn = async (person: Person, passwords: string[]) => {
    const statuses: number[] = [];
    // Each time from elsewhere: nobody is to be held back for what others tried there.
    const by = { ...person, from: networkOf(Math.floor(Math.random() * 2 ** 24)) };
    // Twice, since one whose end nobody knew may have come to be there in between.
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

  /** Changes a password while another session is open, which has ended once that is acknowledged. */
  const change = async (person: Person, passwords: string[]) => {
    const [own, other] = [await signIn(person, passwords), await signIn(person, passwords)];
    const [old] = passwords;
    if (!own || !other || old === undefined) return;
    const password = newPassword();
    const outcome = await attempt({ kind: 'password', by: own, old, password });
    if (outcome !== 'refused') passwords.unshift(password);
    if (outcome !== 'acknowledged') return;
    passwords.length = 1;
    for (let refused = 0; refused < BOTH && !end.signal.aborted;) {
      const { status } = await wire.ask({ method: 'GET', path: '/api/orgs', cookie: other.cookie });
      if (status === 401) refused += 1;
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
  /** Lets each finish what it is at, and returns what came of their writes but for those who lost. */
  const stop = async () => {
    // What was broken for a short time only may have left none for each of them.
    for (const since = performance.now(); missing().length > 0 && performance.now() - since < EACH_WITHIN_MS;)
      await pause(AGAIN_AFTER_MS);
    for (const kind of missing()) ledger.note(`no ${kind} was contested`);
    return finish();
  };
  return { stop, [Symbol.asyncDispose]: async () => void (await finish()) };
}
