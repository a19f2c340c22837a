import type { ReactNode } from 'react';
import styles from './porch.module.css';

export function Porch({ children }: { children?: ReactNode }) {
  return <aside className={styles.porch}>{children && <div className={styles.words}>{children}</div>}</aside>;
}
