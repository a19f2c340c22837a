import { ChevronsUpDown, Eye, EyeOff } from 'lucide-react';
import { useState, type ComponentPropsWithRef, type ReactNode } from 'react';
import { uiText } from '#contract/text/ui.ts';
import { classNames } from './class-names.ts';
import { FieldFrame, useFieldIds, type FieldWords } from './field-frame.tsx';
import styles from './field.module.css';

type Native<Tag extends 'input' | 'textarea' | 'select'> = Omit<
  ComponentPropsWithRef<Tag>,
  'style' | 'className'
>;

export type TextFieldProps = FieldWords & Native<'input'> & { end?: ReactNode };
export type TextAreaFieldProps = FieldWords & Native<'textarea'>;
export type PasswordFieldProps = FieldWords & Omit<Native<'input'>, 'type'>;
export type SelectFieldProps = FieldWords &
  Native<'select'> & { options: readonly { value: string; label: string; disabled?: boolean }[] };

/** A labelled one-line input; `end` sits inside its right edge (an icon, a unit, a small button). */
export function TextField({ label, hint, error, aside, end, id, ...input }: TextFieldProps) {
  const ids = useFieldIds({ hint, error }, id);
  return (
    <FieldFrame label={label} hint={hint} error={error} aside={aside} ids={ids}>
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

/** A labelled input of several lines that grows with its text. */
export function TextAreaField({ label, hint, error, aside, id, ...area }: TextAreaFieldProps) {
  const ids = useFieldIds({ hint, error }, id);
  return (
    <FieldFrame label={label} hint={hint} error={error} aside={aside} ids={ids}>
      <textarea rows={3} {...area} {...ids.control} className={classNames(styles.input, styles.area)} />
    </FieldFrame>
  );
}

/** A password input with a button that shows and hides what was typed. */
export function PasswordField({ label, hint, error, aside, id, ...input }: PasswordFieldProps) {
  const ids = useFieldIds({ hint, error }, id);
  const [shown, setShown] = useState(false);
  const name = shown ? uiText.hidePassword : uiText.showPassword;
  return (
    <FieldFrame label={label} hint={hint} error={error} aside={aside} ids={ids}>
      <div className={styles.box}>
        <input
          autoCapitalize="none"
          spellCheck={false}
          {...input}
          {...ids.control}
          type={shown ? 'text' : 'password'}
          className={classNames(styles.input, styles.hasEnd)}
        />
        <button
          type="button"
          className={classNames(styles.end, styles.eye)}
          aria-label={name}
          aria-controls={ids.id}
          title={name}
          onClick={() => setShown(!shown)}
        >
          {shown ? <EyeOff /> : <Eye />}
        </button>
      </div>
    </FieldFrame>
  );
}

/** A labelled native select for a handful of options; long lists take the combobox. */
export function SelectField({ label, hint, error, aside, options, id, ...select }: SelectFieldProps) {
  const ids = useFieldIds({ hint, error }, id);
  return (
    <FieldFrame label={label} hint={hint} error={error} aside={aside} ids={ids}>
      <div className={styles.box}>
        <select
          {...select}
          {...ids.control}
          className={classNames(styles.input, styles.select, styles.hasEnd)}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value} disabled={option.disabled}>
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
