import { ArrowRight } from 'lucide-react';
import type { AuditLog } from '#contract/activity/calls.ts';
import { detailsOf, originText } from '#contract/activity/words.ts';
import { activityPageText as text } from '#words/activity-page.ts';
import styles from './activity.module.css';

type Props = { id: string; row: AuditLog; moment: (time: Date) => string };

export function Changes({ id, row, moment }: Props) {
  return (
    <dl id={id} className={styles.changes}>
      {detailsOf(row, moment).map(({ label, before, value }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            {before !== undefined && (
              <>
                <bdi className={styles.before}>{before}</bdi>
                <ArrowRight aria-hidden="true" />
                <span className="visually-hidden"> {text.changedTo} </span>
              </>
            )}
            <bdi>{value}</bdi>
          </dd>
        </div>
      ))}
      {row.origin && (
        <div>
          <dt>{text.origin}</dt>
          <dd>{originText(row.origin)}</dd>
        </div>
      )}
    </dl>
  );
}
