import type { ComponentPropsWithRef } from 'react';
import styles from './link-button.module.css';

/** A button that looks like a link in running text. */
export function LinkButton(props: Omit<ComponentPropsWithRef<'button'>, 'type' | 'style' | 'className'>) {
  return <button {...props} type="button" className={styles.link} />;
}
