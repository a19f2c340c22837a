import { ChevronsUpDown } from 'lucide-react';
import { classNames } from './class-names.ts';
import { FieldFrame, useFieldIds, type FieldWords, type Native } from './field-frame.tsx';
import styles from './field.module.css';

export type SelectFieldProps = FieldWords &
  Native<'select'> & {
    options: readonly { value: string; label: string; disabled?: boolean }[];
    hideLabel?: boolean;
  };

export function SelectField({
  label,
  hint,
  error,
  aside,
  options,
  id,
  hideLabel,
  ...select
}: SelectFieldProps) {
  const ids = useFieldIds({ hint, error }, id);
  return (
    <FieldFrame label={label} hint={hint} error={error} aside={aside} ids={ids} hideLabel={hideLabel}>
      <div className={styles.box}>
        <select
          {...select}
          {...ids.control}
          className={classNames(styles.input, styles.select, styles.hasEnd)}
        >
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
