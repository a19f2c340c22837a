import type { ComponentProps } from 'react';
import { areaText } from '#words/area.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import { useLateMenu } from '#web/ui/late.tsx';
import type { AccountMenu } from './account-menu.tsx';
import { useSession } from './session-context.ts';
import styles from './shell.module.css';

const loadMenu = async () => (await import('./account-menu.tsx')).AccountMenu;

export function AccountButton(acts: Omit<ComponentProps<typeof AccountMenu>, 'trigger'>) {
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
