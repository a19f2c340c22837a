import { createContext, use } from 'react';
import type { Session } from './session.ts';

export const SessionContext = createContext<Session | undefined>(undefined);

/** The session that the area has opened with. */
export function useSession(): Session {
  const session = use(SessionContext);
  if (!session) throw new Error('No session above this component: render it inside the area.');
  return session;
}
