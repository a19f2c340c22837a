import { markFound } from '#contract/members/search-marks.ts';
import { breakable } from '#web/ui/address.tsx';
import styles from './members.module.css';

export function MarkedText({ text, search }: { text: string; search: string }) {
  const stretches = markFound(text, search).map(({ text: stretch, from, isMark }) =>
    isMark ? (
      <mark key={from} className={styles.mark}>
        {breakable(stretch)}
      </mark>
    ) : (
      <span key={from}>{breakable(stretch)}</span>
    ),
  );
  return <bdi>{stretches}</bdi>;
}
