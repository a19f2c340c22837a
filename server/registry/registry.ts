import type { Details } from '#contract/activity/recorded.ts';
import { Refusal, type RefusalName, refuse } from '#contract/errors.ts';
import { SECRET_OVERLAP_HOURS } from '#contract/limits.ts';
import type { OrgId } from '#contract/wire.ts';
import { canonicalJson } from '#server/activity/rules.ts';
import { fromNow, HOUR_MS } from '#server/clock.ts';
import type { Tx } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import type { Filled } from '#server/mail/frame.ts';
import type { OrgCaller, SuperAdminMatter } from '#server/members/actions.ts';
import type { RegistryPage } from '#server/members/super-admin-news/actions.ts';
import { actAsSuperAdmin, type SuperAdmin, whyHidden } from '#server/members/super-admin-news/acts.ts';

export type { SuperAdmin };
/** An operator's act: its runner has opened the transaction, and writes its row of the log. */
export type OperatorAct = {
  readonly tx: Tx;
  /** The name of the operating system's user, because the operator has no account. */
  readonly by: string;
  readonly reason?: string | undefined;
  readonly record: (
    recordId: number | undefined,
    information: Readonly<Record<string, unknown>>,
  ) => Promise<unknown>;
};
/** A Super Admin manages the entries of the organization, the operator those of the suite. */
export type Actor = SuperAdmin | OperatorAct;
type Owner = OrgId | null;
export const ownerOf = (actor: Actor): Owner => ('orgId' in actor ? actor.orgId : null);

type Act = { readonly action: 'create' | 'update' | 'change' | 'delete'; readonly information: Details };
type Mail = 'added' | 'moved' | 'secret' | 'removed';
export type Words = { readonly organization: string; readonly name: string; readonly person: string };

type Entries<Id, Entry, Refused extends RefusalName> = {
  readonly missing: Refused;
  readonly matter: SuperAdminMatter;
  readonly type: 'ownApplication' | 'webhook';
  /** The mail to Super Admins, which leads to the page of the entry, or to the list once it is removed. */
  readonly wordsOf: (mail: Mail, words: Words) => Filled;
  readonly page: RegistryPage;
  /** Locks an entry of the suite, because no organization's lock covers it. */
  readonly find: (tx: Tx, id: Id, owner: Owner, deps: Deps) => Promise<Entry | undefined>;
  readonly nameOf: (entry: Entry) => string;
  /** Names an entry in the log. */
  readonly about: (entry: Entry, before: Entry, action: Act['action']) => Details;
  /** The settings as the log writes them. */
  readonly recorded: (entry: Entry, owner: Owner, isRemoved: boolean) => Details;
  /** The fields whose change sends people or data elsewhere. */
  readonly addresses: readonly string[];
  /** Makes a secret. The current one stays valid until `formerEnd`. */
  readonly newSecret: (
    tx: Tx,
    deps: Deps,
    entry: Entry,
    formerEnd: Date,
  ) => Promise<string | Refusal<Refused>>;
  readonly isAlready: (entry: Entry, isPaused: boolean) => boolean;
  readonly setPaused: (tx: Tx, id: Id, isPaused: boolean, deps: Deps) => Promise<unknown>;
  readonly remove: (tx: Tx, id: Id) => Promise<unknown>;
};

/** The acts on applications or webhooks: each runs under a lock, is recorded, and told to the Super Admins. */
export function registryActsOf<
  Id extends number,
  Entry extends { readonly id: Id },
  Refused extends RefusalName,
>(entries: Entries<Id, Entry, Refused>) {
  const { matter, type, missing, about, recorded, nameOf } = entries;
  type Done<Answer> = Act & {
    readonly entry: Entry;
    readonly before?: Entry;
    readonly mail?: Mail | false;
    readonly answer: Answer;
  };

  const informationOf = ({ entry, before = entry, action, information }: Done<unknown>) => ({
    ...about(entry, before, action),
    ...information,
  });

  const act = async <A, R extends RefusalName = never>(
    deps: Deps,
    actor: Actor,
    run: (tx: Tx) => Promise<Done<A> | Refusal<R>>,
  ) => {
    if (!('orgId' in actor)) {
      const done = await run(actor.tx);
      if (done instanceof Refusal) return done;
      await actor.record(done.entry.id, informationOf(done));
      return done.answer;
    }
    return actAsSuperAdmin(deps, actor, matter, async (tx) => {
      const done = await run(tx);
      if (done instanceof Refusal) return done;
      const { entry, action, mail, answer } = done;
      return {
        act: `organization.${type}.${action}` as const,
        recordId: entry.id,
        information: informationOf(done),
        news: mail
          ? (names) => ({
              kind: `${type}.${mail}`,
              words: entries.wordsOf(mail, { ...names, name: nameOf(entry) }),
            })
          : undefined,
        page: action === 'delete' ? entries.page : (`${entries.page}/${entry.id}` as const),
        answer,
      };
    });
  };

  const actOn = <A, R extends RefusalName = never>(
    deps: Deps,
    actor: Actor,
    id: Id,
    run: (tx: Tx, entry: Entry) => Promise<Done<A> | Refusal<R>>,
  ) =>
    act<A, R | Refused>(deps, actor, async (tx) => {
      const entry = await entries.find(tx, id, ownerOf(actor), deps);
      return entry ? run(tx, entry) : new Refusal(missing);
    });

  /** An entry that a change has left. */
  async function get(tx: Tx, deps: Deps, actor: Actor, id: Id) {
    const entry = await entries.find(tx, id, ownerOf(actor), deps);
    if (!entry) throw new Error('the entry is gone');
    return entry;
  }

  /** Only this answer contains the secret. */
  const add = <S extends string | null, R extends RefusalName = never>(
    deps: Deps,
    actor: Actor,
    insert: (tx: Tx) => Promise<{ id: Id; secret: S; information?: Details } | Refusal<R>>,
  ) =>
    act(deps, actor, async (tx) => {
      const made = await insert(tx);
      if (made instanceof Refusal) return made;
      const entry = await get(tx, deps, actor, made.id);
      const settings = mapValues(recorded(entry, ownerOf(actor), false), (value) => [null, value]);
      const answer = { entry, secret: made.secret };
      const information = { ...settings, ...made.information };
      return { entry, action: 'create', information, mail: 'added' as const, answer };
    });

  /** Saves settings and answers with the entry and the names of the changed fields. */
  const change = <R extends RefusalName = never>(
    deps: Deps,
    actor: Actor,
    id: Id,
    update: (tx: Tx, before: Entry) => Promise<Details | Refusal<R>>,
  ) =>
    actOn<Entry & { fields: string[] }, R | 'no_changes'>(deps, actor, id, async (tx, before) => {
      const others = await update(tx, before);
      if (others instanceof Refusal) return others;
      const entry = await get(tx, deps, actor, id);
      const [former, current] = [before, entry].map((one) => recorded(one, ownerOf(actor), false));
      const information = { ...changedFields(former, current), ...others };
      const fields = Object.keys(information);
      if (fields.length === 0) return refuse('no_changes');
      const mail = fields.some((field) => entries.addresses.includes(field)) && ('moved' as const);
      return { entry, before, action: 'update', information, mail, answer: { ...entry, fields } };
    });

  /** Makes a new secret. The current one stays valid for a day, or ends at once if it has leaked. */
  const rotateSecret = (deps: Deps, actor: Actor, id: Id, isAtOnce = false) =>
    actOn(deps, actor, id, async (tx, before) => {
      const formerEnd = isAtOnce ? deps.clock.now() : fromNow(deps.clock, SECRET_OVERLAP_HOURS * HOUR_MS);
      const secret = await entries.newSecret(tx, deps, before, formerEnd);
      if (secret instanceof Refusal) return secret;
      const entry = await get(tx, deps, actor, id);
      const information = { former_secret_ends: 'orgId' in actor ? formerEnd : [null, formerEnd] };
      const answer = { entry, secret, formerEnd };
      return { entry, action: 'change', information, mail: 'secret', answer };
    });

  const pause = (deps: Deps, actor: Actor, id: Id, isPaused: boolean) =>
    actOn(deps, actor, id, async (tx, before) => {
      if (entries.isAlready(before, isPaused)) return refuse('no_changes');
      await entries.setPaused(tx, id, isPaused, deps);
      const entry = await get(tx, deps, actor, id);
      const information = { paused: [!isPaused, isPaused] };
      return { entry, action: 'update', information, answer: entry };
    });

  /** Removes an entry. Super Admins repeat its name, so that nobody removes another one by mistake. */
  const remove = (deps: Deps, actor: Actor, id: Id, name?: string) =>
    actOn(deps, actor, id, async (tx, entry) => {
      if (name !== undefined && name !== nameOf(entry)) return refuse('changed_meanwhile');
      await entries.remove(tx, id);
      const information = mapValues(recorded(entry, ownerOf(actor), true), (value) => [value, null]);
      return { entry, action: 'delete', information, mail: 'removed' as const, answer: { id } };
    });

  const refuseOthers = (deps: Deps, caller: OrgCaller) => whyHidden(deps, caller, matter);
  return { refuseOthers, get, actOn, add, change, rotateSecret, pause, remove };
}

const mapValues = (fields: Details, change: (value: unknown) => unknown): Details =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, change(value)]));

/** Lists and keys are equal if their content is. */
const changedFields = (before: Readonly<Record<string, unknown>> = {}, after: Details = {}): Details =>
  Object.fromEntries(
    Object.entries(after)
      .map(([name, value]) => [name, [before[name], value]] as const)
      .filter(([, [former, current]]) => canonicalJson(former) !== canonicalJson(current)),
  );
