import type { ComponentPropsWithRef } from 'react';
import styles from './link-button.module.css';

export function LinkButton(props: Omit<ComponentPropsWithRef<'button'>, 'type' | 'style' | 'className'>) {
  return <button {...props} type="button" className={styles.link} />;
}
