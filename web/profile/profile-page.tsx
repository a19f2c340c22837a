import type { Organization } from '#contract/organizations.ts';
import { profileText as text } from '#contract/text/profile.ts';
import { stepUpText } from '#contract/text/step-up.ts';
import type { User } from '#contract/user.ts';
import { PageHeader, Split } from '#web/ui/sections.tsx';
import { ContactCard } from './contact-card.tsx';
import { FirstPasswordCard } from './first-password-card.tsx';
import { LinkedSignIns } from './linked-card.tsx';
import { PasswordCard } from './password-card.tsx';
import { ProfileForm } from './profile-form.tsx';
import { TwoStepCard } from './two-step-card.tsx';

/** Who is in no organization has a profile all the same. */
type Props = { organization?: Organization; user: User; onUserChanged: (changed: Partial<User>) => void };

/** What a person tells about themself, how they are reached, and what lets them in. */
export function ProfilePage({ organization, user, onUserChanged }: Props) {
  const orgId = organization?.id;
  return (
    <>
      <PageHeader title={text.title} lead={text.lead} />
      <Split title={text.information} lead={text.informationHint}>
        <ProfileForm orgId={orgId} user={user} onSaved={onUserChanged} />
      </Split>
      <Split title={text.contact} lead={text.contactHint}>
        {/* Begun anew where the address was confirmed, in another window most likely. */}
        <ContactCard key={user.email} orgId={orgId} user={user} onSaved={onUserChanged} />
      </Split>
      {user.hasPassword ? (
        <Split title={text.password} lead={text.passwordHint}>
          <PasswordCard email={user.email} />
        </Split>
      ) : (
        <Split title={text.setPassword} lead={text.setPasswordHint}>
          <FirstPasswordCard email={user.email} />
        </Split>
      )}
      <Split title={stepUpText.title} lead={stepUpText.lead}>
        <TwoStepCard user={user} onSaved={onUserChanged} />
      </Split>
      <LinkedSignIns hasPassword={user.hasPassword && user.email !== null} />
    </>
  );
}
