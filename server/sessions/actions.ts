import { setTimeout as pause } from 'node:timers/promises';
import { ACTION, ACTIVITY_TYPE, MODULE } from '#contract/activity.ts';
import type { Input } from '#contract/endpoint.ts';
import { refuse } from '#contract/errors.ts';
import { SESSIONS_PER_USER_MAX } from '#contract/limits.ts';
import type { sessions } from '#contract/sessions.ts';
import { fieldText } from '#contract/text/fields.ts';
import type { SessionId, UserId } from '#contract/wire.ts';
import { holdAccount } from '#server/accounts/data.ts';
import { recordActivity } from '#server/activity/data.ts';
import { SECOND_MS } from '#server/clock.ts';
import { type Tx, transaction } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { gather } from '#server/gather.ts';
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

type Seen = { readonly userAgent: string; readonly ipAddress: string; readonly location: string };
/** What rows of the log tell of where somebody is or was signed in, as it began or as it ended. */
export function traceOf({ userAgent, ipAddress, location }: Seen, change: 'begins' | 'ends') {
  const { browser, system } = readUserAgent(userAgent);
  const told = { browser, system, ip_address: ipAddress, location };
  return Object.fromEntries(
    Object.entries(told).map(([name, value]) => [name, change === 'begins' ? [null, value] : [value, null]]),
  );
}

/** Where a session is opened from, and the one that the browser had until now. */
export type Place = {
  readonly ipAddress: string;
  readonly userAgent: string;
  readonly replacedSession?: SessionId | undefined;
};
export type LocatedPlace = Place & { readonly location: string };

/** Adds where the address is; asked before a transaction begins, since it may read a file. */
export const locate = async ({ locations }: Deps, place: Place): Promise<LocatedPlace> => ({
  ...place,
  location: await locations.find(place.ipAddress),
});

/**
 * Opens a session, in a remembered browser as a rule, and returns its cookie; the one it replaces ends, and over the cap of 20
 * those longest unused, which their owner finds in the log.
 */
export async function openSession(
  tx: Tx,
  deps: Pick<Deps, 'clock' | 'keys'>,
  userId: UserId,
  place: LocatedPlace,
  device?: string,
) {
  const token = randomToken();
  const session = {
    userId,
    tokenHash: sha256(token),
    deviceHash: device === undefined ? null : sha256(device),
    now: deps.clock.now(),
    replaced: place.replacedSession ?? null,
    ...place,
  };
  const { sessionId, ended } = await insertSession(tx, session, SESSIONS_PER_USER_MAX);
  for (const dropped of ended) await recordEnd(tx, deps, userId, dropped, { over_limit: true });
  return { token, sessionId };
}

type Ended = Awaited<ReturnType<typeof listSessions>>[number];

/** A row of the person's log: which device was signed out. */
function recordEnd(
  tx: Tx,
  deps: Pick<Deps, 'clock' | 'keys'>,
  userId: UserId,
  session: Ended,
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

type Who = { readonly userId: UserId; readonly sessionId: SessionId };

/**
 * Lists the devices that somebody is signed in on: the one that asks, then the others by their last activity. Those of everybody
 * who asks in one turn of the event loop are one query.
 */
export function createDeviceList(deps: Deps) {
  const shownTo = gather((userIds: readonly UserId[]) => findShownSessions(deps, userIds));
  return async ({ userId, sessionId }: Who) => {
    const shown = (await shownTo(userId)) ?? [];
    const devices = shown.map(({ id, ipAddress, userAgent, location, lastSeen, created }) => {
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

/** What ending a session needs of sign-in, which stands above: the browsers behind these hashes are no longer known. */
export type ForgetDevices = (tx: Tx, userId: UserId, hashes: readonly Uint8Array[]) => Promise<unknown>;

/**
 * Signs devices out, and forgets their browsers: one's own only, others than this one after a recent proof. What hangs
 * on a session goes with it.
 */
export async function endDevices(
  deps: Deps,
  caller: Who & { readonly authenticatedAt: Date },
  input: Input<typeof sessions.end>,
  forgetDevices: ForgetDevices,
) {
  const { sessionId: asked, currentSession, others } = input;
  if ((asked === undefined) === (others === undefined))
    return refuse('invalid_input', { fields: { session_id: fieldText.required } });
  return transaction(deps.sql, async (tx) => {
    const now = deps.clock.now();
    await holdAccount(tx, caller.userId, now);
    const mine = await listSessions(tx, deps, caller.userId);
    const current = mine.find(({ id }) => id === caller.sessionId);
    if (!current) return refuse('not_signed_in');
    const ending = mine.filter((session) => (others ? session !== current : session.id === asked));
    const aimsElsewhere = currentSession !== undefined && asked !== current.id;
    if (asked !== undefined && (ending.length === 0 || aimsElsewhere)) return refuse('session_not_found');
    const foreign = ending.filter((session) => session !== current);
    const isProven = isRecentProof(caller.authenticatedAt, now, deps.config.reauthWindowMinutes);
    if (foreign.length > 0 && !isProven) return refuse('reauthentication_required');
    for (const session of ending) {
      await deleteSession(tx, session.id);
      await recordEnd(tx, deps, caller.userId, session);
    }
    const left = foreign.flatMap(({ deviceHash }) => deviceHash ?? []);
    await forgetDevices(
      tx,
      caller.userId,
      left.filter((hash) => !sameBytes(hash, current.deviceHash)),
    );
    return { endedCurrent: ending.includes(current) };
  });
}

const sameBytes = (one: Uint8Array, other: Uint8Array | null) =>
  other !== null && Buffer.from(one).equals(other);

/** The last use is written at most this often: reading stays reading. */
const NOTED_EVERY_MS = 60 * SECOND_MS;
/** So long a call waits for it to be written, and for so long none is once that took longer. */
const PATIENCE_MS = SECOND_MS / 4;
const REST_MS = 10 * SECOND_MS;

/**
 * What notes that sessions are in use, one statement after the other, each for all that came meanwhile. Where the database
 * can't write, because a standby is gone that has to agree, who reads goes on.
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
    const answered = new AbortController();
    const late = pause(PATIENCE_MS, 'late', { signal: answered.signal });
    if ((await Promise.race([next.noted, late])) === 'late') rest('the database takes its time');
    answered.abort();
  };
}
