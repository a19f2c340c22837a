import { createContext, use } from 'react';
import { type Caller, rankOf } from '#contract/authority.ts';
import type { Session } from './session.ts';

export const SessionContext = createContext<Session | undefined>(undefined);

/** The session that the area has opened with. */
export function useSession(): Session {
  const session = use(SessionContext);
  if (!session) throw new Error('No session above this component: render it inside the area.');
  return session;
}

/** The signed-in person as rules see them, in the organization they are in. */
export function callerOf({ current, roles, user }: Session): Caller {
  const role = roles.find(({ name }) => name === current?.role);
  return { userId: user.id, rank: role ? rankOf(role) : 'member' };
}
