import type { ReactNode } from 'react';
import { type Icons, product } from '#contract/product.ts';
import { classNames } from './class-names.ts';
import styles from './mark.module.css';

function Mark() {
  return (
    <svg className={styles.mark} viewBox="0 0 24 24" fill="none" stroke="currentColor" aria-hidden="true">
      <path d="M4 20.5V11a8 8 0 0 1 16 0v9.5M8.9 20.5v-8.9a3.1 3.1 0 0 1 6.2 0v8.9M2 20.5h20" />
    </svg>
  );
}

type Props = { icons?: Icons | null | undefined; children?: ReactNode };
export function Brand({ icons = product.icons, children = product.name }: Props) {
  return (
    <span className={styles.brand}>
      {icons ? (
        <>
          <img src={icons.lightIcon} alt="" className={classNames(styles.icon, styles.onLight)} />
          <img src={icons.darkIcon} alt="" className={classNames(styles.icon, styles.onDark)} />
        </>
      ) : (
        <Mark />
      )}
      <bdi>{children}</bdi>
    </span>
  );
}
