import { useId, type ComponentPropsWithRef, type ReactNode } from 'react';
import styles from './field.module.css';
import { kindIcons } from './kind-icons.tsx';

/** What the control of a field takes from its element. */
export type Native<Tag extends 'input' | 'textarea' | 'select'> = Omit<
  ComponentPropsWithRef<Tag>,
  'style' | 'className'
>;

export interface FieldWords {
  label: string;
  /** One line under the control that helps to fill it in. */
  hint?: ReactNode;
  /** What is wrong; replaces the hint's place of attention and is read with the control. */
  error?: string | undefined;
  /** A link or note at the end of the label's line. */
  aside?: ReactNode;
}

/** The ids and aria attributes that tie a control to its label, hint and error. */
export function useFieldIds({ hint, error }: Pick<FieldWords, 'hint' | 'error'>, ownId?: string) {
  const made = useId();
  const id = ownId ?? made;
  const hintId = `${id}-hint`;
  const errorId = `${id}-error`;
  const describedBy = [error && errorId, hint && hintId].filter(Boolean).join(' ') || undefined;
  return {
    id,
    hintId,
    errorId,
    control: { id, 'aria-describedby': describedBy, 'aria-invalid': error ? true : undefined },
  };
}

type Props = FieldWords & {
  ids: ReturnType<typeof useFieldIds>;
  children: ReactNode;
  /** The label is read aloud, not drawn: a title says the same. */
  hideLabel?: boolean | undefined;
  /** An error is read aloud when it appears, for a field that is sent without being left. */
  announce?: boolean;
};

/** Label above, control, then error and hint below. */
export function FieldFrame({ label, hint, error, aside, ids, children, hideLabel, announce }: Props) {
  return (
    <div className={styles.field}>
      <div className={styles.top}>
        <label htmlFor={ids.id} className={hideLabel ? 'visually-hidden' : undefined}>
          {label}
        </label>
        {aside}
      </div>
      {children}
      {error && (
        <p id={ids.errorId} className={styles.error} role={announce ? 'alert' : undefined}>
          {kindIcons.danger}
          {error}
        </p>
      )}
      {hint && (
        <p id={ids.hintId} className={styles.hint}>
          {hint}
        </p>
      )}
    </div>
  );
}
