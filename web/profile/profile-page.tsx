import type { Organization } from '#contract/organizations.ts';
import { profileText } from '#contract/text/profile.ts';
import { stepUpText } from '#contract/text/step-up.ts';
import type { User } from '#contract/user.ts';
import { PageHeader, Split } from '#web/ui/sections.tsx';
import { ProfileForm } from './profile-form.tsx';
import { TwoStepCard } from './two-step-card.tsx';

type Props = { organization: Organization; user: User; onUserChanged: (user: User) => void };

/** What a person tells about themself. */
export function ProfilePage({ organization, user, onUserChanged }: Props) {
  return (
    <>
      <PageHeader title={profileText.title} lead={profileText.lead} />
      <Split title={profileText.information} lead={profileText.informationHint}>
        <ProfileForm orgId={organization.id} user={user} onSaved={onUserChanged} />
      </Split>
      <Split title={stepUpText.title} lead={stepUpText.lead}>
        <TwoStepCard user={user} onSaved={onUserChanged} />
      </Split>
    </>
  );
}
