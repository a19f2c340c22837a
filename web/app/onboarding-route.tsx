import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { organizationText } from '#words/organization.ts';
import { goOn } from '#web/public-pages/go-on.ts';
import { leaveFor } from '#web/lib/navigate.ts';
import { OnboardingPage } from '#web/organizations/onboarding-page.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import { OWN_SEGMENT } from '#contract/pages.ts';
import { invitationsQuery, queryClient } from './queries.ts';
import { useSession } from './session-context.ts';

export function OnboardingRoute() {
  const { user, closed = [] } = useSession();
  const { data: invitations = [] } = useQuery(invitationsQuery);
  const { closeTab } = useSearch({ from: '/onboarding' });
  return (
    <OnboardingPage
      user={user}
      closed={closed}
      toAccount={
        <Link className={buttonClass()} to={`/${OWN_SEGMENT}/myprofile`}>
          {organizationText.toAccount}
        </Link>
      }
      invitations={invitations}
      onAnswered={() => void queryClient.invalidateQueries(invitationsQuery)}
      onCreated={() => (closeTab === 'true' ? leaveFor('/closetab') : goOn('/'))}
    />
  );
}
