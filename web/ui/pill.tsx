import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';
import styles from './pill.module.css';

export type PillTone = 'neutral' | 'good' | 'warn' | 'bad' | 'accent';

export function Pill({ tone = 'neutral', children }: { tone?: PillTone; children: ReactNode }) {
  return <span className={classNames(styles.pill, styles[tone])}>{children}</span>;
}
