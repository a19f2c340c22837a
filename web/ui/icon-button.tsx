import type { ReactNode } from 'react';
import { type Act, buttonClass, Content, drawButton, type Look, type Way } from './button.tsx';
import styles from './button.module.css';
import { Tooltip } from './tooltip.tsx';

type Props = Look & {
  /** Read aloud and shown as a tooltip. */
  name: string;
  /** Tells similar buttons apart. Read aloud after the name. */
  about?: string;
  icon: ReactNode;
} & (Omit<Act, 'children' | 'name'> | Omit<Way, 'children'>);

export function IconButton({ kind = 'quiet', size = 'small', name, about, icon, ...button }: Props) {
  const label = about === undefined ? name : `${name}: ${about}`;
  const content = (
    <>
      <Content busy={button.busy} icon={icon} />
      <Tooltip>{name}</Tooltip>
    </>
  );
  const element = { ...button, 'aria-label': label };
  return drawButton(element, buttonClass({ kind, size }, styles.icon), content);
}
