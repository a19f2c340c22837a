import { AsyncLocalStorage } from 'node:async_hooks';
import { type Adapter, type AdapterPayload, errors } from 'oidc-provider';
import type { ApplicationId, GrantId } from '#contract/applications/registration.ts';
import type { OrgId, SessionId, UserId } from '#contract/wire.ts';
import { findClients } from '#server/applications/clients/data.ts';
import { metadataOf } from '#server/applications/clients/rules.ts';
import {
  consumeRecord,
  deleteFamily,
  deleteRecord,
  findRecords,
  isConsumed,
  type NewRecord,
  noteSignIn,
  putRecords,
  recordKey,
  type StoredRecord,
} from '#server/applications/records/data.ts';
import { batchPerTick } from '#server/batch-per-tick.ts';
import { fromNow, SECOND_MS } from '#server/clock.ts';
import { type Tx, transaction } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';

/** The authorization that a request of the provider serves, from the browser's session or from a token. */
export type Authorization = {
  readonly family: string;
  readonly grantId: GrantId;
  readonly sessionId: SessionId | null;
  readonly clientId: string;
  readonly applicationId: ApplicationId;
  readonly userId: UserId;
  readonly orgId: OrgId | null;
  readonly subject: string;
  readonly scopes: readonly string[];
  /** The APIs for which the application may get tokens. */
  readonly apis: readonly string[];
};

/** The person of Portico's own session in the browser. */
export type Visitor = {
  readonly userId: UserId;
  readonly sessionId: SessionId;
  readonly authenticatedAt: Date;
};

/** The state of the current request, so that one statement serves all look-ups behind a token. */
type Visit = {
  /** Finds the person of the browser once; null without a session. */
  readonly findVisitor: () => Promise<Visitor | null>;
  /** Whether its outgoing calls may go to private networks. */
  readonly mayReachPrivate?: boolean;
  /** The network of the request, by which limits count; none outside of requests. */
  readonly network?: string;
  /** After too many wrong secrets, how long the client has to wait. */
  waitSeconds?: number;
  authorization?: Authorization;
  /** The session that the provider's own cookie belongs to. */
  shadowOf?: SessionId | null;
  /** The records that it writes before its answer leaves, by their keys. */
  readonly records: Map<string, NewRecord>;
  /** The further writes of the same transaction. */
  readonly writes: ((tx: Tx) => Promise<unknown>)[];
};
const visits = new AsyncLocalStorage<Visit>();

/** Runs a request of the provider. */
export const visiting = <T>(visit: Omit<Visit, 'records' | 'writes'>, act: () => T): T =>
  visits.run({ ...visit, records: new Map(), writes: [] }, act);

/** The state of the current request; throws outside of one. */
export function currentVisit(): Visit {
  const visit = visits.getStore();
  if (!visit) throw new Error('the provider works only within a request');
  return visit;
}

const authorizationOf = (record: StoredRecord): Authorization | undefined => {
  const { family, grantId, sessionId, clientId, applicationId, userId, orgId, subject, scopes, apis } =
    record;
  return family && grantId && clientId && applicationId && userId && subject
    ? {
        family,
        grantId,
        sessionId,
        clientId,
        applicationId,
        userId,
        orgId,
        subject,
        scopes: scopes ?? [],
        apis: apis ?? [],
      }
    : undefined;
};

/** PostgreSQL's code for a row that refers to a missing one. */
const FOREIGN_KEY = '23503';

const isOffline = (payload: AdapterPayload) =>
  /^(AccessToken|RefreshToken)$/.test(String(payload.kind)) && payload.expiresWithSession !== true;

/** Look-ups of one turn of the event loop share a statement. */
const lookupsOf = (deps: Deps) => ({
  findClient: batchPerTick((ids: readonly string[]) => findClients(deps.sql, ids)),
  findByKey: batchPerTick((keys: readonly string[]) => findRecords(deps, keys)),
});

/** Where the provider keeps its records. Credentials are stored as hashes and never in payloads. */
export function adaptersOf(deps: Deps): (kind: string) => Adapter {
  const lookups = lookupsOf(deps);
  return (kind) => adapterOf(deps, lookups, kind);
}

const write = (deps: Deps, act: (tx: Tx) => Promise<unknown>) =>
  transaction(deps.sql, act).catch((error: unknown) => {
    // The session or the grant was deleted since the request found it.
    if ((error as { code?: string }).code === FOREIGN_KEY)
      throw new errors.InvalidGrant('it has ended meanwhile');
    throw error;
  });

/** Writes all that the current request has collected, in one transaction. Its answer must wait for it. */
export async function writeCollected(deps: Deps): Promise<void> {
  const { records, writes } = currentVisit();
  if (records.size === 0 && writes.length === 0) return;
  await write(deps, async (tx) => {
    // New records lock their session. Ending a session locks it first and then its records, so keep that order.
    if (records.size > 0) await putRecords(tx, [...records.values()]);
    for (const act of writes) await act(tx);
  });
}

function adapterOf(
  deps: Deps,
  { findClient, findByKey }: ReturnType<typeof lookupsOf>,
  kind: string,
): Adapter {
  return {
    async upsert(id, payload, expiresIn) {
      // A grant is a row of its own (`application_grants`), and its id names it.
      if (kind === 'Grant') return;
      const { authorization, shadowOf, records, writes } = currentVisit();
      const { jti: _credential, session: _session, ...kept } = payload;
      // An open request outlives the session, because another account may answer it.
      const isTied = payload.grantId !== undefined && kind !== 'Interaction';
      const tied = isTied ? authorization : undefined;
      const sessionId = kind === 'Session' ? (shadowOf ?? null) : (tied?.sessionId ?? null);
      records.set(recordKey(kind, id), {
        kind,
        id,
        clientId: payload.clientId ?? null,
        sessionId: isOffline(payload) ? null : sessionId,
        grantId: tied?.grantId ?? null,
        family: tied?.family ?? null,
        payload: kind === 'Interaction' ? { ...kept, askedAt: deps.clock.now() } : kept,
        expiresAt: fromNow(deps.clock, (expiresIn ?? 0) * SECOND_MS),
      });
      if (kind !== 'AuthorizationCode' || !tied?.sessionId) return;
      const signIn = { ...tied, sessionId: tied.sessionId, sid: String(payload.sid), now: deps.clock.now() };
      writes.push((tx) => noteSignIn(tx, signIn));
    },
    async find(id) {
      const visit = currentVisit();
      if (kind === 'Client') {
        const client = await findClient(id);
        return client && metadataOf(client, deps.clock.now());
      }
      if (kind === 'Grant') return grantPayload(visit.authorization, id);
      const record = await findByKey(recordKey(kind, id));
      if (!record) return undefined;
      if (kind === 'Session') visit.shadowOf = record.sessionId;
      const authorization = authorizationOf(record);
      if (authorization) visit.authorization = authorization;
      return {
        ...record.payload,
        ...(kind === 'Session' && record.subject === null && { accountId: undefined }),
        jti: id,
        ...(isConsumed(record, kind, deps.clock.now()) && { consumed: true }),
      };
    },
    async findByUid(uid) {
      const { authorization } = currentVisit();
      return authorization && sessionPayload(authorization, uid);
    },
    async findByUserCode() {
      return undefined;
    },
    async consume(id) {
      const now = deps.clock.now();
      currentVisit().writes.push(async (tx) => {
        if (!(await consumeRecord(tx, kind, id, now))) throw new errors.InvalidGrant('already used');
      });
    },
    async destroy(id) {
      currentVisit().records.delete(recordKey(kind, id));
      await write(deps, (tx) => (kind === 'Grant' ? deleteFamily(tx, id) : deleteRecord(tx, kind, id)));
    },
    async revokeByGrantId(family) {
      await write(deps, (tx) => deleteFamily(tx, family));
    },
  };
}

const grantPayload = (authorization: Authorization | undefined, family: string): AdapterPayload | undefined =>
  authorization?.family === family
    ? {
        jti: family,
        kind: 'Grant',
        accountId: authorization.subject,
        clientId: authorization.clientId,
        openid: { scope: authorization.scopes.join(' ') },
        resources: Object.fromEntries(authorization.apis.map((api) => [api, authorization.scopes.join(' ')])),
      }
    : undefined;

/** The provider's session behind a token: `find` has already proven that Portico's session stands. */
const sessionPayload = ({ subject, clientId, family }: Authorization, uid: string): AdapterPayload => ({
  uid,
  kind: 'Session',
  accountId: subject,
  authorizations: { [clientId]: { grantId: family } },
});
