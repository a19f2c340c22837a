import type { ReactNode } from 'react';
import { type Act, buttonClass, Content, drawButton, type Look, type Way } from './button.tsx';
import styles from './button.module.css';
import { useTooltip } from './tooltip.tsx';

interface Icon {
  /** Read aloud and shown as a tooltip. */
  name: string;
  /** Tells similar buttons apart. Read aloud after the name. */
  about?: string | undefined;
  icon: ReactNode;
  /** A circle, for a person's picture. */
  round?: boolean | undefined;
}
type IconButtonProps = Look & Icon & Omit<Act, 'children' | 'name'>;
type IconLinkProps = Look & Icon & Omit<Way, 'children'>;

const labelOf = (name: string, about: string | undefined) =>
  about === undefined ? name : `${name}: ${about}`;

/** A button with one icon. Its name is read aloud and shown as a tooltip. */
export function IconButton({
  kind = 'quiet',
  size = 'small',
  name,
  about,
  icon,
  round,
  ...button
}: IconButtonProps) {
  const { tooltip, events } = useTooltip<HTMLButtonElement>(name, button);
  const element = { ...button, ...events, 'aria-label': labelOf(name, about) };
  const content = (
    <>
      <Content busy={button.busy} icon={icon} />
      {tooltip}
    </>
  );
  return drawButton(element, buttonClass({ kind, size }, styles.icon, round && styles.round), content);
}

/** A link with one icon. Its name is read aloud and shown as a tooltip. */
export function IconLink({
  kind = 'quiet',
  size = 'small',
  name,
  about,
  icon,
  round,
  ...link
}: IconLinkProps) {
  const { tooltip, events } = useTooltip<HTMLAnchorElement>(name, link);
  const element = { ...link, ...events, 'aria-label': labelOf(name, about) };
  const content = (
    <>
      <span className={styles.content}>{icon}</span>
      {tooltip}
    </>
  );
  return drawButton(element, buttonClass({ kind, size }, styles.icon, round && styles.round), content);
}
