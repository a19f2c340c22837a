import { uiText } from '#words/ui.ts';
import styles from './loader-bar.module.css';

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
