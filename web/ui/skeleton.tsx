import { classNames } from './class-names.ts';
import styles from './skeleton.module.css';

interface SkeletonProps {
  shape?: 'line' | 'title' | 'pill' | 'field' | 'avatar' | 'picture';
  width?: 'word' | 'third' | 'half' | 'most' | 'full';
}

export function Skeleton({ shape = 'line', width = 'most' }: SkeletonProps) {
  return <span className={classNames(styles.skeleton, styles[width], styles[shape])} aria-hidden="true" />;
}
