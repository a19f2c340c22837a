import { useState } from 'react';
import styles from './avatar.module.css';
import { classNames } from './class-names.ts';
import { initials } from './initials.ts';

export interface AvatarProps {
  name: string;
  /** Address of the picture; without one, or when it fails, the initials stand in. */
  src?: string | null | undefined;
  size?: 'tiny' | 'normal' | 'large';
  /** Round for people, square for organizations and applications. */
  shape?: 'round' | 'square';
}

/** A person's or organization's picture or initials; decoration, as the name stands beside it. */
export function Avatar({ name, src, size = 'normal', shape = 'round' }: AvatarProps) {
  const [failed, setFailed] = useState<string>();
  const letters = size === 'tiny' ? initials(name).slice(0, 1) : initials(name);
  return (
    // The letters come from the style sheet: as text they would have to be part of the name of a button around them.
    <span
      className={classNames(styles.avatar, styles[size], styles[shape])}
      data-initials={letters}
      aria-hidden="true"
    >
      {src && src !== failed && <img src={src} alt="" onError={() => setFailed(src)} />}
    </span>
  );
}
