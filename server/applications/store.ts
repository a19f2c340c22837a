import { type Adapter, type AdapterPayload, errors } from 'oidc-provider';
import type { SessionId } from '#contract/wire.ts';
import { metadataOf } from './clients.ts';
import { findClient } from './data-clients.ts';
import { findAllowed } from './data-grants.ts';
import {
  consumeRecord,
  deleteFamily,
  deleteRecord,
  findRecord,
  insertCode,
  insertRecord,
} from './data-records.ts';
import { grantIn } from './rules.ts';
import { currentVisit } from './visit.ts';
import { fromNow, SECOND_MS } from '#server/clock.ts';
import type { Deps } from '#server/deps.ts';

/** Where the provider keeps its records. Credentials are stored as hashes and never in payloads. */
export const adapterOf = (deps: Deps) => (kind: string) => ({
  ...recordsOf(deps, kind),
  ...(kind === 'Client' && { find: (id: string) => findMetadata(deps, id) }),
  // A grant is a row of `application_grants`, and the name of a family begins with its id.
  ...(kind === 'Grant' && {
    upsert: async () => undefined,
    find: (family: string) => findGrant(deps, family),
    destroy: (family: string) => deleteFamily(deps, family),
  }),
});

/** Strangers may cause such records, so their networks have a budget for them. */
const open = new Set(['Interaction', 'PushedAuthorizationRequest']);

/** A company's word ends with its session, so only an own sign-in is remembered beyond it. */
const isOffline = async ({ scope }: AdapterPayload) =>
  scope?.split(' ').includes('offline_access') === true &&
  (await currentVisit().findVisitor())?.proven === 'account';

const recordsOf = (deps: Deps, kind: string): Adapter => ({
  async upsert(id, { jti: _credential, session: _session, sessionUid, ...payload }, expiresIn = 0) {
    if (open.has(kind) && (await hasOpenedTooMany(deps)))
      throw Object.assign(new errors.TemporarilyUnavailable('too many requests'), { statusCode: 429 });
    // A code passes its session on to its tokens, unless they live on after it.
    const outlivesSession = kind === 'AuthorizationCode' && (await isOffline(payload));
    const record = {
      kind,
      id,
      clientId: payload.clientId,
      sessionId: sessionUid ? (Number(sessionUid) as SessionId) : undefined,
      grantId: grantIn(payload.grantId),
      family: payload.grantId,
      payload: {
        ...payload,
        ...(!outlivesSession && { sessionUid }),
        ...(kind === 'Interaction' && { askedAt: deps.clock.now() }),
      },
      expiresAt: fromNow(deps.clock, expiresIn * SECOND_MS),
    };
    const { sid, accountId } = payload;
    await refuseEnded(
      kind === 'AuthorizationCode'
        ? insertCode(deps, record, { sid: String(sid), subject: String(accountId), now: deps.clock.now() })
        : insertRecord(deps, record),
    );
  },
  async find(id) {
    const record = await findRecord(deps, kind, id);
    return record && { ...record.payload, jti: id, ...(record.isConsumed && { consumed: true }) };
  },
  async consume(id) {
    if (!(await consumeRecord(deps, kind, id))) throw new errors.InvalidGrant('already used');
  },
  async destroy(id) {
    const isDeleted = await deleteRecord(deps, kind, id);
    const { network } = currentVisit();
    // The browser has come back, so its request no longer fills the table.
    if (isDeleted && kind === 'Interaction' && network !== undefined)
      await deps.limiter.giveBack([['openRequestsHour', network]]);
  },
  // The provider destroys the grant as well, which ends all its tokens.
  revokeByGrantId: async () => undefined,
  findByUid: async () => undefined,
  findByUserCode: async () => undefined,
});

/** Counts a record that a stranger may cause; returns whether it is one too many. */
export async function hasOpenedTooMany({ limiter, log }: Deps): Promise<boolean> {
  const { network } = currentVisit();
  const tooMany = network && (await limiter.take('openRequestsHour', network));
  if (tooMany) log.info({ network, ...tooMany.detail }, 'refused');
  return Boolean(tooMany);
}

/** PostgreSQL's code for a row that refers to a missing one. */
const FOREIGN_KEY = '23503';
async function refuseEnded(writing: Promise<boolean>): Promise<void> {
  const isWritten = await writing.catch((error: unknown) => {
    if ((error as { code?: string }).code === FOREIGN_KEY) return false;
    throw error;
  });
  // The session, the grant or the application has ended since the request found it.
  if (!isWritten) throw new errors.InvalidGrant('it has ended meanwhile');
}

async function findMetadata({ sql, clock }: Deps, id: string) {
  // PostgreSQL refuses a text with this character, so no client has it in its id.
  const client = id.includes('\u0000') ? undefined : await findClient(sql, id);
  return client && metadataOf(client, clock.now());
}

async function findGrant({ sql }: Deps, family: string): Promise<AdapterPayload | undefined> {
  const id = grantIn(family);
  const allowed = id && (await findAllowed(sql, id));
  if (!allowed) return undefined;
  const scope = allowed.scopes.join(' ');
  return {
    jti: family,
    kind: 'Grant',
    accountId: allowed.subject,
    clientId: allowed.clientId,
    openid: { scope },
    resources: Object.fromEntries(allowed.apis.map((api) => [api, scope])),
  };
}
