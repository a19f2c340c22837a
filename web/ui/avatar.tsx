import { useState } from 'react';
import styles from './avatar.module.css';
import { classNames } from './class-names.ts';
import { initials } from './initials.ts';

interface AvatarProps {
  name: string;
  src?: string | null | undefined;
  size?: 'tiny' | 'normal' | 'large';
  /** Round for people, square for organizations and applications. */
  shape?: 'round' | 'square';
}

/** Hidden from screen readers, because the name is beside it. */
export function Avatar({ name, src, size = 'normal', shape = 'round' }: AvatarProps) {
  const [failed, setFailed] = useState<string>();
  const letters = size === 'tiny' ? initials(name).slice(0, 1) : initials(name);
  return (
    // The letters come from CSS. As text they would be part of the name of a surrounding button.
    <span
      className={classNames(styles.avatar, styles[size], styles[shape])}
      data-initials={letters}
      aria-hidden="true"
    >
      {src && src !== failed && <img src={src} alt="" onError={() => setFailed(src)} />}
    </span>
  );
}
