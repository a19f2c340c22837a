import { createContext, use } from 'react';
import { type Actor, rankOf } from '#contract/members/authority.ts';
import type { Session } from './session.ts';

export const SessionContext = createContext<Session | undefined>(undefined);

export function useSession(): Session {
  const session = use(SessionContext);
  if (!session) throw new Error('No session above this component: render it inside the area.');
  return session;
}

/** The signed-in person as the rights function `can` needs them, in the current organization. */
export function callerOf({ current, roles, user }: Session): Actor {
  const role = roles.find(({ name }) => name === current?.role);
  return { userId: user.id, rank: role ? rankOf(role) : 'member' };
}
