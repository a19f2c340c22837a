import { type ComponentProps, type Ref, useLayoutEffect, useRef } from 'react';
import { areaText } from '#contract/text/area.ts';
import { fill } from '#contract/text.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import type { AccountMenu } from './account-menu.tsx';
import { useSession } from './session-context.ts';
import styles from './shell.module.css';
import { usePopup } from './use-popup.ts';

const loadMenu = async () => (await import('./account-menu.tsx')).AccountMenu;

type Acts = Omit<ComponentProps<typeof AccountMenu>, 'trigger'>;

/** The avatar. Its menu is fetched when somebody comes near it, so that the first view need not wait for it. */
export function AccountButton(acts: Acts) {
  const { user } = useSession();
  const name = user.fullName || user.email || areaText.noNameYet;
  const button = useRef<HTMLButtonElement>(null);
  const { Popup: Menu, isOpen: isAsked, fetch, open } = usePopup(loadMenu);
  const hadFocus = useRef(false);

  // The menu brings a button of its own: it takes over the focus, and the press that came too early.
  useLayoutEffect(() => {
    if (!Menu) return;
    if (hadFocus.current) button.current?.focus();
    if (isAsked) button.current?.click();
  }, [Menu, isAsked]);

  const face = {
    ref: button as Ref<HTMLButtonElement>,
    type: 'button' as const,
    className: styles.avatarButton,
    children: (
      <>
        <span className="visually-hidden">{fill(areaText.accountMenu, { name })}</span>
        <Avatar name={name} src={user.profilePictureUrl} />
      </>
    ),
  };
  if (Menu) return <Menu {...acts} trigger={<button {...face} />} />;
  return (
    <button
      {...face}
      aria-haspopup="menu"
      aria-expanded="false"
      onPointerEnter={fetch}
      onFocus={() => {
        hadFocus.current = true;
        fetch();
      }}
      onBlur={() => {
        hadFocus.current = false;
      }}
      // On the way down already: the menu's own button may have taken this place before the press ends.
      onPointerDown={open}
      // Other presses, as by a key.
      onClick={({ detail }) => detail === 0 && open()}
    />
  );
}
