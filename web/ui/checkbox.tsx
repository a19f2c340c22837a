import { useEffect, useRef } from 'react';
import styles from './checkbox.module.css';
import { classNames } from './class-names.ts';
import { useField, type FieldWords, type Native } from './field-frame.tsx';

type CheckboxProps = Omit<FieldWords, 'error' | 'aside'> & Native<'input'> & { indeterminate?: boolean };

export function Checkbox({ indeterminate = false, ...props }: CheckboxProps) {
  const ref = useRef<HTMLInputElement>(null);
  const { frame, control } = useField<Native<'input'>>(props);
  const { id, label, hint, hideLabel, wide } = frame;
  // The third state has no attribute, and a press clears it. So set it after every render.
  useEffect(() => {
    if (ref.current) ref.current.indeterminate = indeterminate;
  });
  return (
    <div className={classNames(styles.checkbox, hideLabel && styles.bare, wide && 'full-row')}>
      <input {...control} ref={ref} type="checkbox" className={styles.box} />
      <label htmlFor={id} className={styles.label}>
        <span className={hideLabel ? 'visually-hidden' : undefined}>{label}</span>
      </label>
      {hint && (
        <p id={`${id}-hint`} className={styles.hint}>
          {hint}
        </p>
      )}
    </div>
  );
}
