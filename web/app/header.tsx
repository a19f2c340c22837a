import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ChevronDown, ChevronsUpDown } from 'lucide-react';
import { useState, type ComponentProps } from 'react';
import type { Organization } from '#contract/organizations/calls.ts';
import { areaText } from '#words/area.ts';
import { present } from '#web/lib/failures.ts';
import { leaveFor } from '#web/lib/navigate.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import { Brand } from '#web/ui/mark.tsx';
import { mayLeave } from './popups.tsx';
import { hasOwnIcons } from './favicon.ts';
import { COMPANY_ENTRY_PATH } from './landing.ts';
import { MenuSheet } from './menu-sheet.tsx';
import { NotificationButton } from './notification-button.tsx';
import { invitationsQuery, queryClient, sessionQuery } from './queries.ts';
import { signOut } from './session.ts';
import { useSession } from './session-context.ts';
import styles from './shell.module.css';
import { latePopup, useLateMenu } from '#web/ui/late.tsx';
import type { AccountMenu } from './account-menu.tsx';

const SwitchDialog = latePopup(
  async () => (await import('#web/organizations/switch-organization-dialog.tsx')).SwitchOrganizationDialog,
);
const OnboardingDialog = latePopup(
  async () => (await import('#web/organizations/onboarding-dialog.tsx')).OnboardingDialog,
);

export function Header({ hasMenu }: { hasMenu: boolean }) {
  const { current, others, user } = useSession();
  const { data: invitations = [] } = useQuery({ ...invitationsQuery, enabled: !user.isReduced });
  const [dialog, setDialog] = useState<'switch' | 'onboarding'>();
  const close = () => setDialog(undefined);
  const open = async (asked: 'switch' | 'onboarding') => {
    if (!user.isReduced) setDialog(asked);
    else if (await mayLeave()) await leaveFor(COMPANY_ENTRY_PATH);
  };
  const openSwitch = () => void open('switch');
  const openOnboarding = () => void open('onboarding');
  const logout = async () => {
    if (await mayLeave()) await signOut().catch(present);
  };
  const switchTo = async (urlName: string) => {
    if (await mayLeave()) await leaveFor(`/${urlName}`);
  };
  const enterNew = async (urlName: string) => {
    if (await mayLeave()) return leaveFor(`/${urlName}/organization`);
    close();
    return queryClient.invalidateQueries(sessionQuery);
  };
  return (
    <header className={styles.header}>
      {hasMenu && <MenuSheet organization={current} />}
      {current ? (
        <Link to="/$orgId/myapps" params={{ orgId: current.urlName }} className={styles.brand}>
          <Brand icons={hasOwnIcons(current) ? current : undefined}>{current.applicationName}</Brand>
        </Link>
      ) : (
        <Link to="/onboarding" className={styles.brand}>
          <Brand />
        </Link>
      )}
      {current && <span className={styles.slash} />}
      {current && (
        <Name organization={current} hasOthers={others.length + invitations.length > 0} onOpen={openSwitch} />
      )}
      <div className={styles.end}>
        {current && <NotificationButton organization={current} zone={user.timeZone} onAnswer={openSwitch} />}
        <div>
          <AccountButton onSwitch={openSwitch} onAdd={openOnboarding} onLogout={() => void logout()} />
        </div>
      </div>
      {current && dialog === 'switch' && (
        <SwitchDialog
          onClose={close}
          current={current}
          others={others}
          invitations={invitations}
          onSwitch={switchTo}
          onDeclined={() => void queryClient.invalidateQueries(invitationsQuery)}
          onAdd={openOnboarding}
        />
      )}
      {dialog === 'onboarding' && <OnboardingDialog onClose={close} user={user} onCreated={enterNew} />}
    </header>
  );
}

type NameProps = { organization: Organization; hasOthers: boolean; onOpen: () => void };

function Name({ organization: { name }, hasOthers, onOpen }: NameProps) {
  return (
    <button type="button" className={styles.organization} aria-haspopup="dialog" onClick={onOpen}>
      <Avatar name={name} size="tiny" shape="square" />
      <span className="visually-hidden">
        {hasOthers ? areaText.switchFrom({ name }) : areaText.onlyOrganization}
      </span>
      <span dir="auto" aria-hidden={hasOthers} className={styles.organizationName}>
        {name}
      </span>
      {hasOthers ? <ChevronsUpDown /> : <ChevronDown />}
    </button>
  );
}

const loadMenu = async () => (await import('./account-menu.tsx')).AccountMenu;

function AccountButton(acts: Omit<ComponentProps<typeof AccountMenu>, 'trigger'>) {
  const { user } = useSession();
  const name = user.fullName || user.email || areaText.noNameYet;
  const { Menu, button, untilThen } = useLateMenu(loadMenu);
  const face = {
    ref: button,
    type: 'button' as const,
    className: styles.avatarButton,
    children: (
      <>
        <span className="visually-hidden">{areaText.accountMenu({ name })}</span>
        <Avatar name={name} src={user.profilePictureUrl} />
      </>
    ),
  };
  return Menu ? <Menu {...acts} trigger={<button {...face} />} /> : <button {...face} {...untilThen} />;
}
