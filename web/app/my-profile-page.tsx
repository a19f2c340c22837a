import { ConnectedCard } from '#web/applications/connected-card.tsx';
import { ProfilePage } from '#web/profile/profile-page.tsx';
import type { OwnPageProps, PageProps } from './pages.ts';

export function MyProfilePage(props: OwnPageProps & Partial<Pick<PageProps, 'organization'>>) {
  return (
    <>
      <ProfilePage {...props} />
      <ConnectedCard zone={props.user.timeZone} />
    </>
  );
}
