import { useEffect, useRef, type ComponentPropsWithoutRef, type ReactNode } from 'react';
import styles from './checkbox.module.css';
import { classNames } from './class-names.ts';
import { useFieldIds } from './field-frame.tsx';

interface CheckboxProps extends Omit<ComponentPropsWithoutRef<'input'>, 'type' | 'style' | 'className'> {
  label: string;
  hint?: ReactNode;
  indeterminate?: boolean | undefined;
  hideLabel?: boolean | undefined;
}

export function Checkbox({ label, hint, indeterminate = false, hideLabel, id, ...input }: CheckboxProps) {
  const ref = useRef<HTMLInputElement>(null);
  const ids = useFieldIds({ hint }, id);
  // The third state has no attribute, and a press clears it. So set it after every render.
  useEffect(() => {
    if (ref.current) ref.current.indeterminate = indeterminate;
  });
  return (
    <div className={classNames(styles.checkbox, hideLabel && styles.bare)}>
      <input {...input} {...ids.control} ref={ref} type="checkbox" className={styles.box} />
      <label htmlFor={ids.id} className={styles.label}>
        <span className={hideLabel ? 'visually-hidden' : undefined}>{label}</span>
      </label>
      {hint && (
        <p id={ids.hintId} className={styles.hint}>
          {hint}
        </p>
      )}
    </div>
  );
}
