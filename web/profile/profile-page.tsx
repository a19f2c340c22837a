import type { Organization } from '#contract/organizations/calls.ts';
import { profileText as text } from '#contract/text/profile.ts';
import type { User } from '#contract/profile/user.ts';
import { PageHeader, Split } from '#web/ui/sections.tsx';
import { ContactCard } from './contact-card.tsx';
import { FirstPasswordCard } from './first-password-card.tsx';
import { PasswordCard } from './password-card.tsx';
import { ProfileForm } from './profile-form.tsx';
import { WaysInSections } from './ways-in-sections.tsx';

/** A person without an organization has a profile as well. */
type Props = { organization?: Organization; user: User; onUserChanged: (changed: Partial<User>) => void };

export function ProfilePage({ organization, user, onUserChanged }: Props) {
  const orgId = organization?.id;
  return (
    <>
      <PageHeader title={text.title} lead={text.lead} />
      <Split title={text.information} lead={text.informationHint}>
        <ProfileForm orgId={orgId} user={user} onSaved={onUserChanged} />
      </Split>
      <Split title={text.contact} lead={text.contactHint}>
        {/* The key resets the form when the address was confirmed, usually in another window. */}
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
      <WaysInSections user={user} onUserChanged={onUserChanged} />
    </>
  );
}
