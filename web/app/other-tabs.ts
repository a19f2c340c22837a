import type { Output } from '#contract/endpoint.ts';
import type { organizations } from '#contract/organizations/calls.ts';
import { standing } from '#web/lib/stored-text.ts';

type Session = Output<typeof organizations.init>;

/** A comparable form of the session. It contains no secret. */
const standingOf = ({ person, current, others }: Session) => {
  const organizations = [...(current ? [current] : []), ...others].map(({ id }) => id);
  return [person, ...organizations.toSorted((a, b) => a - b)].join(' ');
};

export const tellOtherTabs = (session: Session) => standing.keep(standingOf(session));

/** Refetches when another tab has opened with a different session: the server knows which one is valid. */
export const watchOtherTabs = (currentSession: () => Session | undefined, refetch: () => void) =>
  // This event fires only in other tabs, and only when the value changed.
  addEventListener('storage', ({ key }) => {
    const session = currentSession();
    if (session && key === standing.key && standing.read() !== standingOf(session)) refetch();
  });
