import type { ReactNode } from 'react';
import { uiText } from '#words/ui.ts';
import { classNames } from './class-names.ts';
import { FieldFrame, useField, type FieldWords, type Native } from './field-frame.tsx';
import styles from './field.module.css';

export type TextFieldProps = FieldWords & Native<'input'> & { end?: ReactNode };

export function TextField({ end, ...props }: TextFieldProps) {
  const { frame, control } = useField<Native<'input'>>(props);
  return (
    <FieldFrame {...frame}>
      <div className={styles.box}>
        <input {...control} className={classNames(styles.input, end !== undefined && styles.hasEnd)} />
        {end !== undefined && <span className={styles.end}>{end}</span>}
      </div>
    </FieldFrame>
  );
}

/** Not type `email`, with which browsers turn letters of the domain into `xn--…` during typing. */
export const addressInput = {
  inputMode: 'email',
  autoCapitalize: 'none',
  spellCheck: false,
} as const;

export const Optional = () => <span className={styles.optional}>{uiText.optional}</span>;
