import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { goOn } from '#web/lib/go-on.ts';
import { leaveFor } from '#web/lib/navigate.ts';
import { OnboardingPage } from '#web/organizations/onboarding-page.tsx';
import { invitationsQuery, queryClient } from './queries.ts';
import { useSession } from './session-context.ts';

/** Onboarding for those without an organization; then on to where they came for, or to close the tab they came in. */
export function OnboardingRoute() {
  const { user } = useSession();
  const { data: invitations = [] } = useQuery(invitationsQuery);
  const { closeTab } = useSearch({ from: '/onboarding' });
  return (
    <OnboardingPage
      user={user}
      invitations={invitations}
      onAnswered={() => void queryClient.invalidateQueries(invitationsQuery)}
      onCreated={() => (closeTab === 'true' ? leaveFor('/closetab') : goOn('/'))}
    />
  );
}
