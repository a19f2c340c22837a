import type { ReactNode } from 'react';
import styles from './field.module.css';

/** Beside the label of a field that may stay empty. */
export const Optional = ({ children }: { children: ReactNode }) => (
  <span className={styles.optional}>{children}</span>
);
