import { uiText } from '#contract/text/ui.ts';
import styles from './loader-bar.module.css';

/** The thin bar under the header while a page loads; quick loads end before it shows. */
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
