import type { Organization } from '#contract/organizations.ts';
import { authenticatorText } from '#contract/text/authenticator.ts';
import { passkeyText } from '#contract/text/passkeys.ts';
import { profileText as text } from '#contract/text/profile.ts';
import { recoveryCodeText } from '#contract/text/recovery-codes.ts';
import { stepUpText } from '#contract/text/step-up.ts';
import type { User } from '#contract/user.ts';
import { PageHeader, Split } from '#web/ui/sections.tsx';
import { AuthenticatorCard } from './authenticator-card.tsx';
import { ContactCard } from './contact-card.tsx';
import { FirstPasswordCard } from './first-password-card.tsx';
import { LinkedSignIns } from './linked-card.tsx';
import { PasskeysCard } from './passkeys-card.tsx';
import { PasswordCard } from './password-card.tsx';
import { ProfileForm } from './profile-form.tsx';
import { RecoveryCodesCard } from './recovery-codes-card.tsx';
import { TwoStepCard } from './two-step-card.tsx';

/** A person without an organization has a profile as well. */
type Props = { organization?: Organization; user: User; onUserChanged: (changed: Partial<User>) => void };

/** The person's own data, contact data and ways to sign in. */
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
      <Split title={passkeyText.title} lead={passkeyText.lead}>
        <PasskeysCard zone={user.timeZone} />
      </Split>
      <Split title={stepUpText.title} lead={stepUpText.lead}>
        <TwoStepCard user={user} onSaved={onUserChanged} />
      </Split>
      <Split title={authenticatorText.title} lead={authenticatorText.lead}>
        <AuthenticatorCard user={user} />
      </Split>
      <Split title={recoveryCodeText.title} lead={recoveryCodeText.lead}>
        <RecoveryCodesCard user={user} />
      </Split>
      <LinkedSignIns hasPassword={user.hasPassword && user.email !== null} />
    </>
  );
}
