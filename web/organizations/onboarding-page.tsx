import { organizationText } from '#contract/text/organizations.ts';
import type { User } from '#contract/user.ts';
import { Button } from '#web/ui/button.tsx';
import { Card, PageHeader } from '#web/ui/sections.tsx';
import { leaveFor } from '#web/lib/navigate.ts';
import { OnboardingFields } from './onboarding-fields.tsx';
import { type PendingInvitation, PendingInvitations } from './pending-invitations.tsx';
import { useOnboarding } from './use-onboarding.ts';

type Props = {
  user: User;
  invitations: readonly PendingInvitation[];
  onAnswered: () => void;
  onCreated: () => Promise<void>;
};

/** What a person without an organization meets first: who has invited them, and the way to one of their own. */
export function OnboardingPage({ user, invitations, onAnswered, onCreated }: Props) {
  const form = useOnboarding(user, onCreated);
  const create = (
    <Button kind="primary" type="submit" busy={form.busy}>
      {organizationText.create}
    </Button>
  );
  return (
    <>
      <PageHeader title={organizationText.onboardingTitle} lead={organizationText.onboardingLead} />
      {invitations.length > 0 && (
        <Card>
          <PendingInvitations
            invitations={invitations}
            onJoined={(urlName) => leaveFor(`/${urlName}`)}
            onDeclined={onAnswered}
          />
        </Card>
      )}
      <form {...form.props}>
        <Card {...(invitations.length > 0 && { title: organizationText.ownInstead })} foot={create}>
          <OnboardingFields form={form} user={user} />
        </Card>
      </form>
    </>
  );
}
