import { Lock } from 'lucide-react';
import styles from './second-steps.module.css';

export function LockNote({ id, children }: { id: string; children: string }) {
  return (
    <p id={id} className={styles.lock}>
      <Lock aria-hidden="true" />
      {children}
    </p>
  );
}
