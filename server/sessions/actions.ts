import { setTimeout as pause } from 'node:timers/promises';
import { ACTION, ACTIVITY_TYPE, MODULE } from '#contract/activity.ts';
import type { Input } from '#contract/endpoint.ts';
import { refuse } from '#contract/errors.ts';
import { SESSIONS_PER_USER_MAX } from '#contract/limits.ts';
import type { sessions } from '#contract/sessions.ts';
import { fieldText } from '#contract/text/fields.ts';
import type { SessionId, UserId } from '#contract/wire.ts';
import { lockAccount } from '#server/accounts/data.ts';
import { recordActivity } from '#server/activity/data.ts';
import { SECOND_MS } from '#server/clock.ts';
import { type Tx, transaction } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { batchPerTick } from '#server/batch-per-tick.ts';
import { randomToken, sha256 } from '#server/keys.ts';
import {
  deleteSession,
  findShownSessions,
  insertSession,
  listSessions,
  touchSessions,
} from '#server/sessions/data.ts';
import { isRecentProof } from '#server/sessions/rules.ts';
import { readUserAgent } from '#server/user-agent.ts';

type TracedClient = { readonly userAgent: string; readonly ipAddress: string; readonly location: string };
/** The details of a session for an activity row, as new values at its start or as old values at its end. */
export function traceOf({ userAgent, ipAddress, location }: TracedClient, change: 'begins' | 'ends') {
  const { browser, system } = readUserAgent(userAgent);
  const fields = { browser, system, ip_address: ipAddress, location };
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      change === 'begins' ? [null, value] : [value, null],
    ]),
  );
}

/** The client that opens a session, and the session it had until now. */
export type Client = {
  readonly ipAddress: string;
  readonly userAgent: string;
  readonly replacedSession?: SessionId | undefined;
};
export type LocatedClient = Client & { readonly location: string };

/** The caller of an action, with the session of the call. */
export type SessionOwner = { readonly userId: UserId; readonly sessionId: SessionId };
/** The same, with the time when the caller last proved the password or a code. */
export type ProvenOwner = SessionOwner & { readonly authenticatedAt: Date };

/** Adds the location of the IP address. Call it outside the transaction, because it may read a file. */
export const locate = async ({ locations }: Deps, client: Client): Promise<LocatedClient> => ({
  ...client,
  location: await locations.find(client.ipAddress),
});

/**
 * Opens a session and returns its cookie. It ends the session it replaces and, above the limit of 20, the
 * least recently used ones, which get activity rows.
 */
export async function openSession(
  tx: Tx,
  deps: Pick<Deps, 'clock' | 'keys'>,
  userId: UserId,
  client: LocatedClient,
  device?: string,
) {
  const token = randomToken();
  const session = {
    userId,
    tokenHash: sha256(token),
    deviceHash: device === undefined ? null : sha256(device),
    now: deps.clock.now(),
    replaced: client.replacedSession ?? null,
    ...client,
  };
  const { sessionId, ended } = await insertSession(tx, session, SESSIONS_PER_USER_MAX);
  for (const dropped of ended) await recordEnd(tx, deps, userId, dropped, { over_limit: true });
  return { token, sessionId };
}

type SessionRow = Awaited<ReturnType<typeof listSessions>>[number];

/** Records in the person's log which device was signed out. */
function recordEnd(
  tx: Tx,
  deps: Pick<Deps, 'clock' | 'keys'>,
  userId: UserId,
  session: SessionRow,
  more: Record<string, unknown> = {},
) {
  return recordActivity(tx, deps, {
    orgId: null,
    userId,
    module: MODULE.signInDevice,
    type: ACTIVITY_TYPE.signInDevice,
    action: ACTION.delete,
    recordId: session.id,
    information: { ...traceOf(session, 'ends'), ...more },
  });
}

/**
 * Lists the caller's devices: the current one first, then the others by last activity. All calls of one turn
 * of the event loop share one query.
 */
export function createDeviceList(deps: Deps) {
  const shownTo = batchPerTick((userIds: readonly UserId[]) => findShownSessions(deps, userIds));
  return async ({ userId, sessionId }: SessionOwner) => {
    const sessions = (await shownTo(userId)) ?? [];
    const devices = sessions.map(({ id, ipAddress, userAgent, location, lastSeen, created }) => {
      const { browser, system, device } = readUserAgent(userAgent);
      return {
        id,
        ipAddress,
        location,
        browserName: browser,
        systemName: system,
        deviceName: device,
        recentActivity: new Date(lastSeen),
        createdTime: new Date(created),
        isCurrent: id === sessionId,
      };
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
  const { sessionId: asked, currentSession, others } = input;
  if ((asked === undefined) === (others === undefined))
    return refuse('invalid_input', { fields: { session_id: fieldText.required } });
  return transaction(deps.sql, async (tx) => {
    const now = deps.clock.now();
    await lockAccount(tx, caller.userId, now);
    const ownSessions = await listSessions(tx, deps, caller.userId);
    const current = ownSessions.find(({ id }) => id === caller.sessionId);
    if (!current) return refuse('not_signed_in');
    const ending = ownSessions.filter((session) => (others ? session !== current : session.id === asked));
    const aimsElsewhere = currentSession !== undefined && asked !== current.id;
    if (asked !== undefined && (ending.length === 0 || aimsElsewhere)) return refuse('session_not_found');
    const foreign = ending.filter((session) => session !== current);
    const isProven = isRecentProof(caller.authenticatedAt, now, deps.config.reauthWindowMinutes);
    if (foreign.length > 0 && !isProven) return refuse('reauthentication_required');
    for (const session of ending) {
      await deleteSession(tx, session.id);
      await recordEnd(tx, deps, caller.userId, session);
    }
    const deviceHashes = foreign.flatMap(({ deviceHash }) => deviceHash ?? []);
    await forgetDevices(
      tx,
      caller.userId,
      deviceHashes.filter((hash) => !sameBytes(hash, current.deviceHash)),
    );
    return { endedCurrent: ending.includes(current) };
  });
}

const sameBytes = (one: Uint8Array, other: Uint8Array | null) =>
  other !== null && Buffer.from(one).equals(other);

/** A session's last use is written at most this often, so that reads rarely write. */
const NOTED_EVERY_MS = 60 * SECOND_MS;
/** A call waits this long for the write. After a timeout or a fault, writes pause for `REST_MS`. */
const PATIENCE_MS = SECOND_MS / 4;
const REST_MS = 10 * SECOND_MS;

/**
 * Batches `last_seen_at`: one UPDATE at a time, for every session that was used while the last one ran. If
 * the database cannot write, for instance without its synchronous standby, reads go on.
 */
export function usesNoted({ sql, clock, log }: Pick<Deps, 'sql' | 'clock' | 'log'>) {
  let next: { readonly ids: Set<SessionId>; readonly noted: Promise<void> } | undefined;
  let last = Promise.resolve();
  let restsUntil = 0;
  const rest = (reason: string) => {
    if (performance.now() < restsUntil) return;
    restsUntil = performance.now() + REST_MS;
    log.warn({ reason }, 'the use of sessions is not noted');
  };
  const begin = () => {
    const ids = new Set<SessionId>();
    const note = async () => {
      next = undefined;
      await transaction(sql, (tx) => touchSessions(tx, { ids: [...ids], now: clock.now() }));
    };
    last = last.then(note).catch(({ message }: Error) => rest(message));
    return { ids, noted: last };
  };
  return async ({ sessionId, lastSeen }: { readonly sessionId: SessionId; readonly lastSeen: number }) => {
    const isNoted = clock.now().getTime() - lastSeen < NOTED_EVERY_MS;
    if (isNoted || performance.now() < restsUntil) return;
    next ??= begin();
    next.ids.add(sessionId);
    const timer = new AbortController();
    const late = pause(PATIENCE_MS, 'late', { signal: timer.signal });
    if ((await Promise.race([next.noted, late])) === 'late') rest('the database takes its time');
    timer.abort();
  };
}
