import type { ReactNode } from 'react';
import styles from './porch.module.css';

/** The porch picture beside the public pages, with an optional sentence at the bottom. */
export function Porch({ children }: { children?: ReactNode }) {
  return <aside className={styles.porch}>{children && <div className={styles.words}>{children}</div>}</aside>;
}
