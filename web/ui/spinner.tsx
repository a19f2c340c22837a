import styles from './spinner.module.css';

/** A turning ring in the text's colour. The caller describes the progress in words. */
export function Spinner() {
  return <span className={styles.spinner} aria-hidden="true" />;
}
