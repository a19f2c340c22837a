import { useId, type ComponentPropsWithRef, type ReactNode } from 'react';
import { classNames } from './class-names.ts';
import styles from './field.module.css';
import { kindIcons } from './kind-icons.tsx';

export type Native<Tag extends 'input' | 'textarea' | 'select'> = Omit<
  ComponentPropsWithRef<Tag>,
  'id' | 'style' | 'className'
>;

export interface FieldWords {
  label: string;
  hint?: ReactNode;
  /** The problem. It is read aloud with the control. */
  error?: string | undefined;
  aside?: ReactNode;
  /** Hides the label, except from screen readers, because a title already says it. */
  hideLabel?: boolean | undefined;
  /** Takes a whole row of a `FieldGrid`. */
  wide?: boolean | undefined;
}

/** The props of a field, parted into those of its frame and those of its control. */
export function useField<Control>(props: FieldWords & Control) {
  const { label, hint, error, aside, hideLabel, wide, ...control } = props;
  const id = useId();
  const describedBy = [error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(' ') || undefined;
  return {
    frame: { label, hint, error, aside, hideLabel, wide, id },
    control: { ...control, id, 'aria-describedby': describedBy, 'aria-invalid': error ? true : undefined },
  };
}

type Props = FieldWords & {
  id: string;
  children: ReactNode;
  /** Announces an error when it appears, for a field that submits without losing the focus. */
  announce?: boolean;
};

export function FieldFrame({ children: control, ...props }: Props) {
  const { label, hint, error, aside, hideLabel, wide, id, announce } = props;
  return (
    <div className={classNames(styles.field, wide && 'full-row')}>
      <label htmlFor={id} className={hideLabel ? 'visually-hidden' : undefined}>
        {label}
      </label>
      {control}
      {/* Stands above the control, but Tab reaches it after the control. */}
      {aside && <div className={styles.aside}>{aside}</div>}
      {error && (
        <p id={`${id}-error`} className={styles.error} role={announce ? 'alert' : undefined}>
          {kindIcons.danger}
          <span>{error}</span>
        </p>
      )}
      {hint && (
        <p id={`${id}-hint`} className={styles.hint}>
          {hint}
        </p>
      )}
    </div>
  );
}
