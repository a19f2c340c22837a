import { useSearch } from '@tanstack/react-router';
import { goTo } from '#web/lib/navigate.ts';
import { OnboardingPage } from '#web/organizations/onboarding-page.tsx';
import { useSession } from './session-context.ts';

/** Onboarding for those without an organization; then on to where they came for. */
export function OnboardingRoute() {
  const { user } = useSession();
  const { closeTab } = useSearch({ from: '/onboarding' });
  return <OnboardingPage user={user} onCreated={() => goTo(closeTab === 'true' ? '/closetab' : '/')} />;
}
