import { ChevronsUpDown } from 'lucide-react';
import { classNames } from './class-names.ts';
import { FieldFrame, useField, type FieldWords, type Native } from './field-frame.tsx';
import styles from './field.module.css';

export type SelectFieldProps = FieldWords &
  Native<'select'> & {
    options: readonly { value: string; label: string; disabled?: boolean }[];
  };

export function SelectField({ options, ...props }: SelectFieldProps) {
  const { frame, control } = useField<Native<'select'>>(props);
  return (
    <FieldFrame {...frame}>
      <div className={styles.box}>
        <select {...control} className={classNames(styles.input, styles.select, styles.hasEnd)}>
          {options.map((option) => (
            <option key={option.value} dir="auto" value={option.value} disabled={option.disabled}>
              {option.label}
            </option>
          ))}
        </select>
        <span className={classNames(styles.end, styles.arrow)}>
          <ChevronsUpDown />
        </span>
      </div>
    </FieldFrame>
  );
}
