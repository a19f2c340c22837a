import { providerOf, redirectUrlOf } from '#server/company-sign-in/connections/connections.ts';
import { findConnection } from '#server/company-sign-in/connections/data.ts';
import type { Deps } from '#server/deps.ts';
import { connectionIn } from '#server/sessions/entry/left-company.ts';
import type { Conversations } from '#server/social/provider/providers.ts';

export type OfferSignOut = ReturnType<typeof openOffers>;
export const openOffers = (deps: Deps, conversations: Conversations) =>
  /** Where a person who has just signed out here can sign out at their company, too; null if that is not offered. */
  async function offerSignOut(ticket: string | undefined) {
    const id = connectionIn(deps, ticket);
    const connection = id === undefined ? undefined : await findConnection(deps.sql, id);
    if (!connection?.isOn) return null;
    const back = redirectUrlOf(deps, connection.id);
    const url = await conversations.endSessionAddressOf(providerOf(connection, ''), back).catch(() => {
      deps.log.warn({ connection: id }, 'a company’s provider offers no sign-out now');
      return undefined;
    });
    return url ? { organization: connection.organization, url: url.href } : null;
  };
