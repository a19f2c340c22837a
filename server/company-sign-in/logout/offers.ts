import { providerOf, redirectUrlOf } from '#server/company-sign-in/connections/connections.ts';
import { findConnection } from '#server/company-sign-in/connections/data.ts';
import type { Deps } from '#server/deps.ts';
import { findLeaving } from '#server/access/company/data-leaving.ts';
import type { Conversations } from '#server/social/provider/providers.ts';

export { findOrgIdOf } from '#server/company-sign-in/connections/connections.ts';

/** The connection through which the ended session came, and its ID token. */
export async function findLeft(deps: Deps, ticket: string | undefined) {
  const leaving = ticket === undefined ? undefined : await findLeaving(deps.sql, ticket, deps.clock.now());
  const connection = leaving && (await findConnection(deps.sql, leaving.connectionId));
  return connection && { connection, idToken: leaving.idToken };
}

export type OfferSignOut = ReturnType<typeof openOffers>;
export const openOffers = (deps: Deps, conversations: Conversations) =>
  /** Where a person who has just signed out here can sign out at their company, too; null if that is not offered. */
  async function offerSignOut(ticket: string | undefined) {
    const left = await findLeft(deps, ticket);
    if (!left?.connection.isOn) return null;
    const { connection, idToken } = left;
    const parameters = {
      post_logout_redirect_uri: redirectUrlOf(deps, connection.id).href,
      // Okta asks for it, and others then ask the person nothing.
      ...(idToken && { id_token_hint: idToken }),
    };
    const provider = providerOf(connection, '');
    const url = await conversations.endSessionAddressOf(provider, parameters).catch(() => {
      deps.log.warn({ connection: connection.id }, 'a company’s provider offers no sign-out now');
      return undefined;
    });
    return url ? { organization: connection.organization, url: url.href } : null;
  };
