import { AsyncLocalStorage } from 'node:async_hooks';
import { type Adapter, type AdapterPayload, errors } from 'oidc-provider';
import type { GrantId } from '#contract/applications/registration.ts';
import type { OrgId, SessionId, UserId } from '#contract/wire.ts';
import { findClient } from '#server/applications/clients/data.ts';
import { metadataOf } from '#server/applications/clients/rules.ts';
import {
  consumeRecord,
  deleteFamily,
  deleteRecord,
  findRecord,
  isConsumed,
  noteSignIn,
  putRecord,
  type StoredRecord,
} from '#server/applications/records/data.ts';
import { fromNow, SECOND_MS } from '#server/clock.ts';
import { transaction } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';

/** The authorization that a request of the provider serves, from the browser's session or from a token. */
export type Authorization = {
  readonly family: string;
  readonly grantId: GrantId;
  readonly sessionId: SessionId | null;
  readonly clientId: string;
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
};
const visits = new AsyncLocalStorage<Visit>();

/** Runs a request of the provider. */
export const visiting = <T>(visit: Visit, act: () => T): T => visits.run(visit, act);

/** The state of the current request; throws outside of one. */
export function currentVisit(): Visit {
  const visit = visits.getStore();
  if (!visit) throw new Error('the provider works only within a request');
  return visit;
}

const authorizationOf = (record: StoredRecord): Authorization | undefined => {
  const { family, grantId, sessionId, clientId, userId, orgId, subject, scopes, apis } = record;
  return family && grantId && clientId && userId && subject
    ? { family, grantId, sessionId, clientId, userId, orgId, subject, scopes: scopes ?? [], apis: apis ?? [] }
    : undefined;
};

/** PostgreSQL's code for a row that refers to a missing one. */
const FOREIGN_KEY = '23503';

const isOffline = (payload: AdapterPayload) =>
  /^(AccessToken|RefreshToken)$/.test(String(payload.kind)) && payload.expiresWithSession !== true;

/** Where the provider keeps its records of one kind. Credentials are stored as hashes and never in payloads. */
export function adapterOf(deps: Deps, kind: string): Adapter {
  const write = <T>(act: Parameters<typeof transaction<T>>[1]) =>
    transaction(deps.sql, act).catch((error: unknown) => {
      // The session or the grant was deleted since the request found it.
      if ((error as { code?: string }).code === FOREIGN_KEY)
        throw new errors.InvalidGrant('it has ended meanwhile');
      throw error;
    });
  return {
    async upsert(id, payload, expiresIn) {
      const { authorization } = currentVisit();
      const { jti: _credential, session: _session, ...kept } = payload;
      const tied = payload.grantId === undefined ? undefined : authorization;
      const sessionId = kind === 'Session' ? (currentVisit().shadowOf ?? null) : (tied?.sessionId ?? null);
      // A grant is a row of its own (`application_grants`), and its id names it.
      if (kind === 'Grant') return;
      await write(async (tx) => {
        const applicationId = await putRecord(tx, {
          kind,
          id,
          clientId: payload.clientId ?? null,
          sessionId: isOffline(payload) ? null : sessionId,
          grantId: tied?.grantId ?? null,
          family: tied?.family ?? null,
          payload: kind === 'Interaction' ? { ...kept, askedAt: deps.clock.now() } : kept,
          expiresAt: fromNow(deps.clock, (expiresIn ?? 0) * SECOND_MS),
        });
        if (kind === 'AuthorizationCode' && tied?.sessionId && applicationId)
          await noteSignIn(tx, {
            ...tied,
            sessionId: tied.sessionId,
            applicationId,
            sid: String(payload.sid),
            now: deps.clock.now(),
          });
      });
    },
    async find(id) {
      const visit = currentVisit();
      if (kind === 'Client') {
        const client = await findClient(deps.sql, id);
        return client && metadataOf(client, deps.clock.now());
      }
      if (kind === 'Grant') return grantPayload(visit.authorization, id);
      const record = await findRecord(deps, kind, id);
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
      const isFirst = await write((tx) => consumeRecord(tx, kind, id, deps.clock.now()));
      if (!isFirst) throw new errors.InvalidGrant('already used');
    },
    async destroy(id) {
      await write((tx) => (kind === 'Grant' ? deleteFamily(tx, id) : deleteRecord(tx, kind, id)));
    },
    async revokeByGrantId(family) {
      await write((tx) => deleteFamily(tx, family));
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
