import type { RoleId } from '#contract/wire.ts';
import type { Db } from '#server/db/connect.ts';
import { brokenEntries, type MailIdsOf } from './ledger-breaches.ts';
import type { Person } from './people.ts';
import type { WireRequest, Reply } from './wire.ts';
import { callFor, type Entry, type Outcome, type Write } from './writes.ts';

const outcomeOf = (status: number): Outcome => {
  if (status === 0 || status >= 500) return 'unknown';
  return status < 300 ? 'acknowledged' : 'refused';
};

const ALREADY_THERE = 409;
/** Kinds of writes that other people try to undo at the same time. */
export const contestedKinds = ['standing', 'password', 'deletion'] as const;

/** The clients' own record of writes and answers. Writes to one thing must be sequential, so that one is the last. */
export class Ledger {
  readonly #entries: Entry[] = [];
  /** Removals of acknowledged roles that nobody has requested yet. */
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

  note(what: string) {
    this.#noted.push(what);
  }

  /** A role of this person whose removal nobody has requested. */
  role(by: Person): RoleId | undefined {
    return this.#removals.find((one) => one.by === by)?.roleId;
  }

  removal(by: Person): Write | undefined {
    const at = this.#removals.findIndex((one) => one.by === by);
    return at < 0 ? undefined : this.#removals.splice(at, 1)[0];
  }

  count(outcome: Outcome, kind?: Write['kind']) {
    return this.#entries.filter(
      (entry) => entry.outcome === outcome && (kind === undefined || entry.kind === kind),
    ).length;
  }

  /** Retries roles and invitations of unknown outcome; afterwards each must exist exactly once. */
  async retry(ask: (request: WireRequest) => Promise<Pick<Reply, 'status'>>): Promise<string[]> {
    const breaches: string[] = [];
    for (const [at, entry] of this.#entries.entries()) {
      if (entry.outcome !== 'unknown' || (entry.kind !== 'role' && entry.kind !== 'invitation')) continue;
      // The role for the guest may be gone by now; this one stays.
      const again = entry.kind === 'role' ? entry : { ...entry, roleId: entry.by.roleId };
      const { status } = await ask(callFor(again));
      if (status === 200 || status === ALREADY_THERE)
        this.#entries[at] = { ...entry, outcome: 'acknowledged' };
      else breaches.push(`a ${entry.kind} that was asked for again was answered ${status}`);
    }
    return breaches;
  }

  async breaches(sql: Db, mailIdsOf?: MailIdsOf): Promise<string[]> {
    return [...this.#noted, ...(await brokenEntries(sql, this.#entries, mailIdsOf))];
  }
}
