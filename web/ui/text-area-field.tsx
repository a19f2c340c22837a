import { classNames } from './class-names.ts';
import { FieldFrame, useFieldIds, type FieldWords, type Native } from './field-frame.tsx';
import styles from './field.module.css';

type TextAreaFieldProps = FieldWords & Native<'textarea'>;

export function TextAreaField({ label, hint, error, aside, id, ...area }: TextAreaFieldProps) {
  const ids = useFieldIds({ hint, error }, id);
  return (
    <FieldFrame label={label} hint={hint} error={error} aside={aside} ids={ids}>
      <textarea rows={3} {...area} {...ids.control} className={classNames(styles.input, styles.area)} />
    </FieldFrame>
  );
}
