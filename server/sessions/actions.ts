// Sessions begin and end here, each with its row in the log. People see theirs as a list of devices.
import { setTimeout as pause } from 'node:timers/promises';
import type { Details } from '#contract/activity/recorded.ts';
import type { Input } from '#contract/endpoint.ts';
import { refuse } from '#contract/errors.ts';
import { SESSIONS_PER_USER_MAX } from '#contract/limits.ts';
import type { sessions } from '#contract/sessions/calls.ts';
import { fieldText } from '#words/field.ts';
import type { SessionId, UserId } from '#contract/wire.ts';
import { type Account, lockAccount } from '#server/accounts/data.ts';
import { recordActivity } from '#server/activity/data.ts';
import { batchPerTick } from '#server/batch-per-tick.ts';
import { SECOND_MS } from '#server/clock.ts';
import { type Tx, transaction } from '#server/db/connect.ts';
import type { ProvenStep } from '#contract/organizations/second-step-rule.ts';
import type { Method } from '#server/db/tables.ts';
import type { Deps } from '#server/deps.ts';
import type { Client } from '#server/origin.ts';
import { noteOutage } from '#server/outages.ts';
import type { Session } from '#contract/access/facts.ts';
import { randomToken, sha256 } from '#server/keys.ts';
import {
  deleteSession,
  type Entry,
  findShownSessions,
  insertSession,
  listSessions,
  touchSessions,
  hasSession,
} from './data.ts';
import { isRecentlyProven, servesAccount } from '#server/access/data.ts';
import { readUserAgent } from '#server/user-agent.ts';

type TracedClient = { readonly userAgent: string; readonly ipAddress: string; readonly location: string };
/** A session's client for an activity row: new values when the session begins, old values when it ends. */
export function traceOf({ userAgent, ipAddress, location }: TracedClient, change: 'begins' | 'ends') {
  const { browser, system } = readUserAgent(userAgent);
  const side = (value: string) => (change === 'begins' ? [null, value] : [value, null]);
  return {
    browser: side(browser),
    system: side(system),
    ip_address: side(ipAddress),
    location: side(location),
  };
}

export type LocatedClient = Client & { readonly location: string };

/** The same, with the proofs that opened its session. */
type ProvenClient = LocatedClient & {
  readonly methods?: readonly Method[];
  readonly secondStep?: ProvenStep | undefined;
  readonly entry?: Entry | undefined;
};

export type SessionOwner = { readonly userId: UserId; readonly sessionId: SessionId };
/** The same, with the time when the caller last proved the password or a code. */
export type ProvenOwner = SessionOwner & Session;

/** Runs `act` under the lock of the caller's account if their session still stands: a reset may have ended it. */
export const inSession = <T>(
  deps: Deps,
  { userId, sessionId }: SessionOwner,
  act: (tx: Tx, account: Account) => Promise<T>,
) =>
  transaction(deps.sql, async (tx) => {
    const account = await lockAccount(tx, userId, deps.clock.now());
    return account && (await hasSession(tx, sessionId)) ? act(tx, account) : refuse('not_signed_in');
  });

/** Adds the location of the IP address. Call it outside the transaction, because it may read a file. */
export const locate = async ({ locations }: Deps, client: Client): Promise<LocatedClient> => ({
  ...client,
  location: await locations.find(client.ipAddress),
});

/** Ends the session that it replaces and, above the limit of 20, the least recently used ones; returns the cookie. */
export async function openSession(
  tx: Tx,
  deps: Pick<Deps, 'clock' | 'keys'>,
  userId: UserId,
  client: ProvenClient,
  device?: string,
) {
  const token = randomToken();
  const now = deps.clock.now();
  const { entry } = client;
  const row = {
    user_id: userId,
    token_hash: sha256(token),
    device_hash: device === undefined ? null : sha256(device),
    created_at: now,
    last_seen_at: now,
    // A company's word is no proof of the account, so that nothing sensitive is open yet.
    authenticated_at: entry && !entry.provesAccount ? new Date(0) : now,
    ip_address: client.ipAddress,
    user_agent: client.userAgent,
    location: client.location,
    methods: [...(client.methods ?? [])],
    second_step: client.secondStep ?? null,
    proven: entry ? ('company' as const) : ('account' as const),
    entered: entry ? [entry.orgId] : [],
    entered_with_step: entry?.hasStep ? [entry.orgId] : [],
  };
  const replaced = client.replacedSession ?? null;
  const { sessionId, ended } = await insertSession(tx, row, replaced, SESSIONS_PER_USER_MAX);
  for (const session of ended) await recordEnd(tx, deps, userId, session, { over_limit: true });
  return { token, sessionId };
}

const recordEnd = (
  tx: Tx,
  deps: Pick<Deps, 'clock' | 'keys'>,
  userId: UserId,
  session: Awaited<ReturnType<typeof listSessions>>[number],
  more: Details = {},
) =>
  recordActivity(tx, deps, 'person.signInDevice.delete', {
    userId,
    recordId: session.id,
    information: { ...traceOf(session, 'ends'), ...more },
  });

/** The current one first, then by last activity. All calls of one turn of the event loop share one query. */
export function createDeviceList(deps: Deps) {
  const findSessions = batchPerTick((userIds: readonly UserId[]) => findShownSessions(deps, userIds));
  return async (caller: ProvenOwner) => {
    const { userId, sessionId } = caller;
    const isWhole = await servesAccount(deps.sql, caller);
    const sessions = ((await findSessions(userId)) ?? []).filter(({ id }) => isWhole || id === sessionId);
    const devices = sessions.map(({ id, ipAddress, userAgent, location, lastSeen, created }) => {
      const { browser: browserName, system: systemName, device: deviceName } = readUserAgent(userAgent);
      const times = { recentActivity: new Date(lastSeen), createdTime: new Date(created) };
      const isCurrent = id === sessionId;
      return { id, ipAddress, location, browserName, systemName, deviceName, ...times, isCurrent };
    });
    return devices.toSorted((a, b) => Number(b.isCurrent) - Number(a.isCurrent));
  };
}

/** Forgets the known browsers with these hashes. It is passed in because sign-in stands above sessions. */
export type ForgetDevices = (tx: Tx, userId: UserId, hashes: readonly Uint8Array[]) => Promise<unknown>;

/** Signs out the caller's own devices and forgets their browsers. Other devices need a recent proof. */
export async function endDevices(
  deps: Deps,
  caller: ProvenOwner,
  input: Input<typeof sessions.end>,
  forgetDevices: ForgetDevices,
) {
  const { sessionId: endedId, currentSession, others } = input;
  if ((endedId === undefined) === (others === undefined))
    return refuse('invalid_input', { fields: { session_id: fieldText.required } });
  return transaction(deps.sql, async (tx) => {
    const now = deps.clock.now();
    await lockAccount(tx, caller.userId, now);
    const ownSessions = await listSessions(tx, deps, caller.userId);
    const current = ownSessions.find(({ id }) => id === caller.sessionId);
    if (!current) return refuse('not_signed_in');
    const endedSessions = ownSessions.filter((session) =>
      others ? session !== current : session.id === endedId,
    );
    const isMistaken = currentSession !== undefined && endedId !== current.id;
    if (endedId !== undefined && (endedSessions.length === 0 || isMistaken))
      return refuse('session_not_found');
    const otherDevices = endedSessions.filter((session) => session !== current);
    const isProven = await isRecentlyProven(tx, deps, caller);
    if (otherDevices.length > 0 && !isProven) return refuse('reauthentication_required');
    for (const session of endedSessions) {
      await deleteSession(tx, session.id);
      await recordEnd(tx, deps, caller.userId, session);
    }
    const hashes = otherDevices
      .flatMap(({ deviceHash }) => deviceHash ?? [])
      .filter((hash) => !isSameHash(hash, current.deviceHash));
    await forgetDevices(tx, caller.userId, hashes);
    return { endedCurrent: endedSessions.includes(current) };
  });
}

const isSameHash = (a: Uint8Array, b: Uint8Array | null) => b !== null && Buffer.from(a).equals(b);

/** A session's last use is written at most once in this time, so that reads rarely write. */
const TOUCH_EVERY_MS = 60 * SECOND_MS;
/** A call waits at most this long for the write. After a timeout or a fault, no session is written for `WRITE_PAUSE_MS`. */
const WRITE_PATIENCE_MS = SECOND_MS / 4;
const WRITE_PAUSE_MS = 10 * SECOND_MS;

/** Batches `last_seen_at`: one UPDATE at a time, for every session used meanwhile. If it fails, reads go on. */
export function usesNoted({ sql, clock, log }: Pick<Deps, 'sql' | 'clock' | 'log'>) {
  let nextBatch: { readonly ids: Set<SessionId>; readonly written: Promise<void> } | undefined;
  let lastWrite = Promise.resolve();
  let pausedUntil = 0;
  const pauseWrites = (reason: string) => {
    if (performance.now() < pausedUntil) return;
    pausedUntil = performance.now() + WRITE_PAUSE_MS;
    noteOutage(log, 'the use of sessions is not noted', { reason });
  };
  const startBatch = () => {
    const ids = new Set<SessionId>();
    const write = async () => {
      nextBatch = undefined;
      await transaction(sql, (tx) => touchSessions(tx, { ids: [...ids], now: clock.now() }));
    };
    lastWrite = lastWrite.then(write).catch(({ message }: Error) => pauseWrites(message));
    return { ids, written: lastWrite };
  };
  return async ({ sessionId, lastSeen }: { readonly sessionId: SessionId; readonly lastSeen: number }) => {
    const isRecent = clock.now().getTime() - lastSeen < TOUCH_EVERY_MS;
    if (isRecent || performance.now() < pausedUntil) return;
    nextBatch ??= startBatch();
    nextBatch.ids.add(sessionId);
    const timer = new AbortController();
    const late = pause(WRITE_PATIENCE_MS, 'late', { signal: timer.signal });
    if ((await Promise.race([nextBatch.written, late])) === 'late')
      pauseWrites('the database takes its time');
    timer.abort();
  };
}
