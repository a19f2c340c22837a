import styles from './spinner.module.css';

/** A small turning ring in the colour of the text around it; the caller says in words what is going on. */
export function Spinner() {
  return <span className={styles.spinner} aria-hidden="true" />;
}
