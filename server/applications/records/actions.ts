import { AsyncLocalStorage } from 'node:async_hooks';
import { type Adapter, type AdapterPayload, errors, Provider } from 'oidc-provider';
import type { ApplicationId, GrantId } from '#contract/applications/registration.ts';
import type { OrgId, SessionId, UserId } from '#contract/wire.ts';
import { metadataOf } from '#server/applications/clients/rules.ts';
import {
  type Changes,
  deleteFamily,
  deleteRecord,
  type Findings,
  hashOf,
  isConsumed,
  type NewRecord,
  recordKey,
  type Search,
  search,
  type StoredRecord,
  writeChanges,
} from '#server/applications/records/data.ts';
import { batchPerTick } from '#server/batch-per-tick.ts';
import { fromNow, SECOND_MS } from '#server/clock.ts';
import type { PersonRow } from '#server/applications/clients/data-rows.ts';
import { changing } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';

/** The authorization that a request of the provider serves, from the browser's session or from a token. */
type Authorization = {
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
  /** Whether a page of the application loads the request in a frame. */
  readonly isFramed?: boolean;
  /** Whether the request names an ID token whose key has left. */
  hasOldHint?: boolean;
  /** After too many wrong secrets, how long the client has to wait. */
  waitSeconds?: number;
  authorization?: Authorization;
  /** The person of the token, where their claims are asked for. */
  person?: PersonRow;
  /** The session that the provider's own cookie belongs to. */
  shadowOf?: SessionId | null;
  /** The look-ups of this request, by client id or hash. */
  readonly lookUps: Map<string, Promise<Findings>>;
  /** The records that it writes before its answer leaves, by their keys. */
  readonly records: Map<string, NewRecord>;
  /** The further changes of the same statement. */
  use?: Changes['use'];
  signIn?: Changes['signIn'];
};
const visits = new AsyncLocalStorage<Visit>();

/** Runs a request of the provider. */
export const visiting = <T>(visit: Omit<Visit, 'lookUps' | 'records'>, act: () => T): T =>
  visits.run({ ...visit, lookUps: new Map(), records: new Map() }, act);

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

type Searching = (search: Search) => Promise<Findings>;
/** Searches of one turn of the event loop share a statement. */
function searching(deps: Deps): Searching {
  const together = batchPerTick(async (searches: readonly Search[]) => {
    const findings = await search(deps, searches);
    return new Map(searches.map((one) => [one, findings]));
  });
  return async (one) => (await together(one)) ?? { clients: new Map(), records: new Map() };
}

const isText = (value: unknown): value is string => typeof value === 'string';

/** The client and the credentials that the current request names. The provider alone would look them up one by one. */
function namedInRequest() {
  const { ctx } = Provider;
  const { code, refresh_token: refreshToken, token } = ctx?.oidc.params ?? {};
  return {
    clientIds: [ctx?.query['client_id']].filter(isText),
    hashes: [code, refreshToken, token].filter(isText).map(hashOf),
  };
}

const clientKey = (id: string) => `client ${id}`;

/** Looks up a client or a credential, and with it what else the request names. */
function lookUp(searchFor: Searching, key: string, wanted: Partial<Search>): Promise<Findings> {
  const { lookUps } = currentVisit();
  const earlier = lookUps.get(key);
  if (earlier) return earlier;
  const inRequest = namedInRequest();
  const clientIds = [
    ...(wanted.clientIds ?? []),
    ...inRequest.clientIds.filter((id) => !lookUps.has(clientKey(id))),
  ];
  const hashes = [...(wanted.hashes ?? []), ...inRequest.hashes.filter((hash) => !lookUps.has(hash))];
  // PostgreSQL refuses a text with this character, so no client has it in its id.
  const storable = clientIds.filter((id) => !id.includes('\u0000'));
  const findings = searchFor({ withHolder: false, ...wanted, clientIds: storable, hashes });
  for (const each of [...clientIds.map(clientKey), ...hashes]) lookUps.set(each, findings);
  return findings;
}

/** Where the provider keeps its records. Credentials are stored as hashes and never in payloads. */
export function adaptersOf(deps: Deps): (kind: string) => Adapter {
  const searchFor = searching(deps);
  return (kind) => adapterOf(deps, searchFor, kind);
}

/** The kind of an address to which a person goes on from the page of an error. */
export const LEAVING = 'Leaving';
export type Leaving = { readonly clientId: string; readonly url: string };

/** Strangers may cause such records, so their networks have a budget for them. */
const open = new Set(['Interaction', 'PushedAuthorizationRequest', LEAVING]);

/** Writes all that the current request has collected, in one statement. Its answer must wait for it. */
export async function writeCollected(deps: Deps): Promise<void> {
  const { records, use, signIn, network } = currentVisit();
  if (records.size === 0 && !use) return;
  const isOpened = [...records.values()].some(({ kind }) => open.has(kind));
  const tooMany = isOpened && network !== undefined && (await deps.limiter.take('openRequestsHour', network));
  if (tooMany) {
    deps.log.info({ network, ...tooMany.detail }, 'refused');
    throw Object.assign(new errors.TemporarilyUnavailable('too many requests'), { statusCode: 429 });
  }
  const changes = { records: [...records.values()], use, signIn };
  const isWritten = await writeChanges(changing(deps.sql), changes, deps.clock.now()).catch(
    (error: unknown) => {
      // The session or the grant was deleted since the request found it.
      if ((error as { code?: string }).code === FOREIGN_KEY)
        throw new errors.InvalidGrant('it has ended meanwhile');
      throw error;
    },
  );
  if (!isWritten) throw new errors.InvalidGrant('already used');
}

function adapterOf(deps: Deps, searchFor: Searching, kind: string): Adapter {
  return {
    async upsert(id, payload, expiresIn) {
      // A grant is a row of its own (`application_grants`), and its id names it.
      if (kind === 'Grant') return;
      const visit = currentVisit();
      const { authorization, shadowOf, records } = visit;
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
      if (kind === 'AuthorizationCode' && tied?.sessionId)
        visit.signIn = { ...tied, sessionId: tied.sessionId, sid: String(payload.sid) };
    },
    async find(id) {
      const visit = currentVisit();
      if (kind === 'Client') {
        const { clients } = await lookUp(searchFor, clientKey(id), { clientIds: [id] });
        const client = clients.get(id);
        return client && metadataOf(client, deps.clock.now());
      }
      if (kind === 'Grant') return grantPayload(visit.authorization, id);
      const hash = hashOf(id);
      const withHolder = kind === 'AccessToken' && Provider.ctx?.oidc.route === 'userinfo';
      const findings = await lookUp(searchFor, hash, { hashes: [hash], withHolder });
      const record = findings.records.get(recordKey(kind, id));
      if (!record) return undefined;
      if (record.client) visit.lookUps.set(clientKey(record.client.client_id), Promise.resolve(findings));
      if (record.person) visit.person = record.person;
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
      currentVisit().use = { kind, id };
    },
    async destroy(id) {
      const { records, network } = currentVisit();
      records.delete(recordKey(kind, id));
      const database = changing(deps.sql);
      if (kind === 'Grant') return deleteFamily(database, id);
      const isDeleted = await deleteRecord(database, kind, id);
      // The browser has come back, so its request no longer fills the table.
      if (isDeleted && kind === 'Interaction' && network !== undefined)
        await deps.limiter.giveBack([['openRequestsHour', network]]);
    },
    async revokeByGrantId(family) {
      await deleteFamily(changing(deps.sql), family);
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

/** The provider's session behind a token: `find` has already checked Portico's session. */
const sessionPayload = ({ subject, clientId, family }: Authorization, uid: string): AdapterPayload => ({
  uid,
  kind: 'Session',
  accountId: subject,
  authorizations: { [clientId]: { grantId: family } },
});
