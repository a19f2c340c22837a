import type { ReactNode } from 'react';
import styles from './mark.module.css';

/** The Portico mark, an arch within an arch, in the colour of the text around it. */
export function Mark() {
  return (
    <svg className={styles.mark} viewBox="0 0 24 24" fill="none" stroke="currentColor" aria-hidden="true">
      <path d="M4 20.5V11a8 8 0 0 1 16 0v9.5M8.9 20.5v-8.9a3.1 3.1 0 0 1 6.2 0v8.9M2 20.5h20" />
    </svg>
  );
}

/** Mark and application name, side by side. */
export function Brand({ children }: { children: ReactNode }) {
  return (
    <span className={styles.brand}>
      <Mark />
      {children}
    </span>
  );
}
