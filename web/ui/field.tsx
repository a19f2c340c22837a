import type { ReactNode } from 'react';
import { uiText } from '#words/ui.ts';
import { classNames } from './class-names.ts';
import { FieldFrame, useFieldIds, type FieldWords, type Native } from './field-frame.tsx';
import styles from './field.module.css';

export type TextFieldProps = FieldWords &
  Native<'input'> & {
    end?: ReactNode;
    hideLabel?: boolean;
  };

export function TextField({ label, hint, error, aside, end, id, hideLabel, ...input }: TextFieldProps) {
  const ids = useFieldIds({ hint, error }, id);
  return (
    <FieldFrame label={label} hint={hint} error={error} aside={aside} ids={ids} hideLabel={hideLabel}>
      <div className={styles.box}>
        <input
          {...input}
          {...ids.control}
          className={classNames(styles.input, end !== undefined && styles.hasEnd)}
        />
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
