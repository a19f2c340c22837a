import type { ReactNode } from 'react';
import type { AlertKind } from '../lib/alert-store.ts';
import { classNames } from './class-names.ts';
import { kindIcons } from './kind-icons.tsx';
import styles from './notice.module.css';

interface NoticeProps {
  kind: AlertKind;
  title?: ReactNode;
  children?: ReactNode;
  action?: ReactNode;
  /** Read aloud when it appears. On by default for `danger`. */
  announce?: boolean;
}

export function Notice({ kind, title, children, action, announce = kind === 'danger' }: NoticeProps) {
  return (
    <div className={classNames(styles.notice, styles[kind])} role={announce ? 'alert' : undefined}>
      {kindIcons[kind]}
      <div className={styles.body}>
        <div className={styles.words}>
          {title && <strong>{title}</strong>}
          {children && <div>{children}</div>}
        </div>
        {action && <div className={styles.action}>{action}</div>}
      </div>
    </div>
  );
}
