import { Lock } from 'lucide-react';
import type { ReactNode } from 'react';
import { Pill, type PillTone } from '#web/ui/pill.tsx';
import styles from './ways-in.module.css';

type Props = {
  name: ReactNode;
  pill?: string;
  tone?: PillTone;
  hint?: ReactNode;
  /** Why an act is not possible, and the id of these words. */
  lock?: string;
  lockId?: string;
  children?: ReactNode;
  below?: ReactNode;
};

export function Way({ name, pill, tone = 'neutral', hint, lock, lockId, children, below }: Props) {
  return (
    <li className={styles.way}>
      <div className={styles.about}>
        <p className={styles.name}>
          <strong>{name}</strong>
          {pill && <Pill tone={tone}>{pill}</Pill>}
        </p>
        {hint && <div className={styles.hint}>{hint}</div>}
        {lock && (
          <p id={lockId} className={styles.lock}>
            <Lock aria-hidden="true" />
            {lock}
          </p>
        )}
      </div>
      {children && <div className={styles.acts}>{children}</div>}
      {below && <div className={styles.below}>{below}</div>}
    </li>
  );
}
