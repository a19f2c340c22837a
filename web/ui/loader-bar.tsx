import { uiText } from '#contract/text/ui.ts';
import styles from './loader-bar.module.css';

/** The thin bar under the header while a page loads. Quick loads end before it appears. */
export function LoaderBar({ active }: { active: boolean }) {
  return (
    <output className={styles.track}>
      {active && (
        <>
          <span className={styles.bar} />
          <span className="visually-hidden">{uiText.loading}</span>
        </>
      )}
    </output>
  );
}
