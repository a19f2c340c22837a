import type { JWTPayload } from 'jose';
import type { ConnectionId } from '#contract/company-sign-in/connections.ts';
import { recordActivity } from '#server/activity/data.ts';
import { fromNow, MINUTE_MS } from '#server/clock.ts';
import { providerOf } from '#server/company-sign-in/connections/connections.ts';
import { type Connection, findConnection } from '#server/company-sign-in/connections/data.ts';
import { providerKindOf } from '#server/company-sign-in/connections/rules.ts';
import { type Ended, endSessions, useTokenId } from './data.ts';
import { CLOCK_DIFFERENCE_SECONDS, sidIn, subjectIn } from '#server/company-sign-in/visits/claims.ts';
import { transaction } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { traceOf } from '#server/sessions/actions.ts';
import type { Conversations } from '#server/social/provider/providers.ts';

const EVENT = 'http://schemas.openid.net/event/backchannel-logout';
/** Two minutes, with the difference of clocks. */
const AGE_MAX_SECONDS = 120 - CLOCK_DIFFERENCE_SECONDS;
/** Kept longer than a token is valid, whatever the clocks say. */
const KEPT_MS = 10 * MINUTE_MS;
const TYPES = new Set(['logout+jwt', 'jwt']);

/**
 * Finds the sessions that a logout token ends (OpenID Connect Back-Channel Logout 1.0, 2.6). A logout token has an event
 * and no nonce; an ID token ends nothing.
 */
export function endedBy(payload: JWTPayload, connection: Pick<Connection, 'issuer'>): Ended | undefined {
  const { events, nonce, jti, sid } = payload;
  const isLogout = typeof events === 'object' && events !== null && EVENT in events;
  if (!isLogout || nonce !== undefined || typeof jti !== 'string' || jti === '') return undefined;
  const session = sidIn(payload);
  if (session !== null) return { sid: session };
  if (sid !== undefined) return undefined;
  const subject = subjectIn(providerKindOf(connection.issuer), { signed: payload });
  return subject === undefined ? undefined : { subject };
}

export type Logouts = ReturnType<typeof openLogouts>;
export function openLogouts(deps: Deps, conversations: Conversations) {
  async function verify(connection: Connection, token: string) {
    const { keys, issuer } = await conversations.signerOf(providerOf(connection, ''));
    const { jwtVerify } = await import('jose');
    return jwtVerify(token, keys, {
      issuer,
      audience: connection.clientId,
      currentDate: deps.clock.now(),
      maxTokenAge: AGE_MAX_SECONDS,
      clockTolerance: CLOCK_DIFFERENCE_SECONDS,
    });
  }

  /** Ends the sessions that a provider's logout token names. False if the token is not valid. */
  return async function logOut(connectionId: ConnectionId, token: string): Promise<boolean> {
    const connection = await findConnection(deps.sql, connectionId);
    if (!connection?.isOn) return false;
    const verified = await verify(connection, token).catch((error: unknown) => {
      const reason = error instanceof Error && 'code' in error ? error.code : 'no answer';
      deps.log.warn({ connection: connectionId, reason }, 'a logout token was refused');
      return undefined;
    });
    const type = verified?.protectedHeader.typ?.toLowerCase().replace(/^application\//, '');
    if (!verified || (type !== undefined && !TYPES.has(type))) return false;
    const ended = endedBy(verified.payload, connection);
    if (!ended) return false;
    return transaction(deps.sql, async (tx) => {
      const jti = String(verified.payload.jti);
      if (!(await useTokenId(tx, connectionId, jti, fromNow(deps.clock, KEPT_MS)))) return false;
      for (const session of await endSessions(tx, connectionId, ended))
        await recordActivity(tx, deps, 'person.signIn.delete', {
          userId: session.userId,
          information: traceOf(session, 'ends'),
        });
      return true;
    });
  };
}
