import { classNames } from './class-names.ts';
import { FieldFrame, useField, type FieldWords, type Native } from './field-frame.tsx';
import styles from './field.module.css';

export function TextAreaField(props: FieldWords & Native<'textarea'>) {
  const { frame, control } = useField<Native<'textarea'>>(props);
  return (
    <FieldFrame {...frame}>
      <textarea rows={3} {...control} className={classNames(styles.input, styles.area)} />
    </FieldFrame>
  );
}
