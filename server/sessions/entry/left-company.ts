import type { ConnectionId } from '#contract/company-sign-in/connections.ts';
import type { Deps } from '#server/deps.ts';
import { mac } from '#server/keys.ts';

const ticketBy = (key: Deps['keys'][number], id: ConnectionId) =>
  `${id}.${mac(key.derive('left-company'), String(id)).toString('base64url')}`;

/** Tells later, in the cookie of the browser, through which connection its ended session came. */
export const ticketOf = ({ keys }: Pick<Deps, 'keys'>, id: ConnectionId) => ticketBy(keys[0], id);

export function connectionIn({ keys }: Pick<Deps, 'keys'>, ticket = ''): ConnectionId | undefined {
  const id = Number.parseInt(ticket, 10) as ConnectionId;
  return keys.some((key) => ticketBy(key, id) === ticket) ? id : undefined;
}
