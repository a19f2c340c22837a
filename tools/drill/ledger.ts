import type { RoleId } from '#contract/wire.ts';
import type { Db } from '#server/db/connect.ts';
import { brokenEntries, type Delivered } from './ledger-breaches.ts';
import type { Person } from './people.ts';
import type { Asked, Reply } from './wire.ts';
import { callFor, type Entry, type Outcome, type Write } from './writes.ts';

const outcomeOf = (status: number): Outcome => {
  if (status === 0 || status >= 500) return 'unknown';
  return status < 300 ? 'acknowledged' : 'refused';
};

const ALREADY_THERE = 409;
/** What people make of each other, of their password and of their account, while others would have it otherwise. */
export const contestedKinds = ['standing', 'password', 'deletion'] as const;

/**
 * The clients' own list of what they asked to have written and were told of it. Writes that change the same thing have to
 * come one after the other, or nobody could tell which is the last.
 */
export class Ledger {
  readonly #entries: Entry[] = [];
  /** The removals of roles that were acknowledged, until somebody asks for them. */
  readonly #removals: Extract<Write, { kind: 'removal' }>[] = [];
  readonly #noted: string[] = [];

  record(write: Write, { status, body }: Pick<Reply, 'status'> & Partial<Pick<Reply, 'body'>>): Outcome {
    const outcome = outcomeOf(status);
    this.#entries.push({ ...write, outcome });
    const { Id: roleId } = (body?.response ?? {}) as { readonly Id?: RoleId };
    if (write.kind === 'role' && outcome === 'acknowledged' && roleId !== undefined)
      this.#removals.push({ kind: 'removal', by: write.by, name: write.name, roleId });
    return outcome;
  }

  /** Something that clients saw and that may not be, in words. */
  note(what: string) {
    this.#noted.push(what);
  }

  /** A role that this person has made and that nobody has asked to remove. */
  role(by: Person): RoleId | undefined {
    return this.#removals.find((one) => one.by === by)?.roleId;
  }

  /** The removal of such a role, once. */
  removal(by: Person): Write | undefined {
    const at = this.#removals.findIndex((one) => one.by === by);
    return at < 0 ? undefined : this.#removals.splice(at, 1)[0];
  }

  count(outcome: Outcome, kind?: Write['kind']) {
    return this.#entries.filter(
      (entry) => entry.outcome === outcome && (kind === undefined || entry.kind === kind),
    ).length;
  }

  /** Asks again for roles and invitations of unknown end, as a person would: each is there then, once, or was already. */
  async retry(ask: (asked: Asked) => Promise<Pick<Reply, 'status'>>): Promise<string[]> {
    const broken: string[] = [];
    for (const [at, entry] of this.#entries.entries()) {
      if (entry.outcome !== 'unknown' || (entry.kind !== 'role' && entry.kind !== 'invitation')) continue;
      // The role that a guest was to have may be gone by now; there is one that stays.
      const again = entry.kind === 'role' ? entry : { ...entry, roleId: entry.by.roleId };
      const { status } = await ask(callFor(again));
      if (status === 200 || status === ALREADY_THERE)
        this.#entries[at] = { ...entry, outcome: 'acknowledged' };
      else broken.push(`a ${entry.kind} that was asked for again was answered ${status}`);
    }
    return broken;
  }

  /** How the database differs from what clients were told, in words; its rows of the activity log included. */
  async broken(sql: Db, delivered?: Delivered): Promise<string[]> {
    return [...this.#noted, ...(await brokenEntries(sql, this.#entries, delivered))];
  }
}
