import { organizationText } from '#contract/text/organizations.ts';
import type { User } from '#contract/user.ts';
import { Button } from '#web/ui/button.tsx';
import { Card, PageHeader } from '#web/ui/sections.tsx';
import { OnboardingFields } from './onboarding-fields.tsx';
import { useOnboarding } from './use-onboarding.ts';

type Props = { user: User; onCreated: () => Promise<void> };

/** What a person without an organization meets first. */
export function OnboardingPage({ user, onCreated }: Props) {
  const form = useOnboarding(user, onCreated);
  const create = (
    <Button kind="primary" type="submit" busy={form.busy}>
      {organizationText.create}
    </Button>
  );
  return (
    <>
      <PageHeader title={organizationText.onboardingTitle} lead={organizationText.onboardingLead} />
      <form {...form.props}>
        <Card foot={create}>
          <OnboardingFields form={form} user={user} />
        </Card>
      </form>
    </>
  );
}
