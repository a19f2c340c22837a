import { Link } from '@tanstack/react-router';
import { profileSections as sections } from '#contract/profile/sections.ts';
import { connectedText } from '#words/connected.ts';
import { ownDataText } from '#words/own-data.ts';
import { profileText as text } from '#words/profile.ts';
import { waysInText } from '#words/ways-in.ts';
import { ConnectedCard } from '#web/applications/connected-card.tsx';
import { DataExport } from '#web/accounts/data-export.tsx';
import { arriveAt } from '#web/lib/arrive.ts';
import { ContactCard } from '#web/profile/contact-card.tsx';
import { FirstPasswordCard, PasswordCard } from '#web/profile/password-card.tsx';
import { ProfileForm } from '#web/profile/profile-form.tsx';
import { WaysInCard } from '#web/profile/ways-in-card.tsx';
import { Card, PageHeader, Split } from '#web/ui/sections.tsx';
import styles from './my-profile-page.module.css';
import type { OwnPageProps, PageProps } from './pages.ts';

/** A person without an organization has a profile as well. */
type Props = OwnPageProps & Partial<Pick<PageProps, 'organization'>>;

export function MyProfilePage({ organization, user, onUserChanged }: Props) {
  const orgId = organization?.id;
  const { hasPassword } = user;
  const links = [
    [sections.profile, text.information],
    [sections.contact, text.contact],
    [sections.password, hasPassword ? text.password : text.setPassword],
    [sections.waysIn, waysInText.title],
    [sections.applications, connectedText.title],
    [sections.data, ownDataText.title],
  ] as const;
  return (
    <>
      <PageHeader title={text.title} lead={text.lead} />
      <nav aria-label={text.sections} className={styles.sections}>
        {links.map(([id, title]) => (
          // The address does not change when the person comes back to the same section.
          <Link key={id} to="." search hash={id} onClick={() => arriveAt(id)}>
            {title}
          </Link>
        ))}
      </nav>
      <Split id={sections.profile} title={text.information} lead={text.informationHint}>
        <ProfileForm orgId={orgId} user={user} onSaved={onUserChanged} />
      </Split>
      <Split id={sections.contact} title={text.contact} lead={text.contactHint}>
        {/* The key resets the form when the address was confirmed, usually in another window. */}
        <ContactCard key={user.email} orgId={orgId} user={user} onSaved={onUserChanged} />
      </Split>
      <Split
        id={sections.password}
        title={hasPassword ? text.password : text.setPassword}
        lead={hasPassword ? text.passwordHint : text.setPasswordHint}
      >
        {hasPassword ? <PasswordCard email={user.email} /> : <FirstPasswordCard email={user.email} />}
      </Split>
      <Split id={sections.waysIn} title={waysInText.title} lead={waysInText.lead}>
        <WaysInCard user={user} onUserChanged={onUserChanged} />
      </Split>
      <ConnectedCard id={sections.applications} zone={user.timeZone} />
      <Split id={sections.data} title={ownDataText.title} lead={ownDataText.lead}>
        <Card>
          <DataExport text={ownDataText} subject={{}} user={user} />
        </Card>
      </Split>
    </>
  );
}
