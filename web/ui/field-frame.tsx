import { useId, type ComponentPropsWithRef, type ReactNode } from 'react';
import styles from './field.module.css';
import { kindIcons } from './kind-icons.tsx';

export type Native<Tag extends 'input' | 'textarea' | 'select'> = Omit<
  ComponentPropsWithRef<Tag>,
  'style' | 'className'
>;

export interface FieldWords {
  label: string;
  hint?: ReactNode;
  /** The problem. It is read aloud with the control. */
  error?: string | undefined;
  aside?: ReactNode;
}

export function useFieldIds({ hint, error }: Partial<FieldWords>, ownId?: string) {
  const generatedId = useId();
  const id = ownId ?? generatedId;
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
  /** Hides the label, except from screen readers, because a title already says it. */
  hideLabel?: boolean | undefined;
  /** Announces an error when it appears, for a field that submits without losing the focus. */
  announce?: boolean;
};

export function FieldFrame(props: Props) {
  const { label, hint, error, aside, ids, children: control, hideLabel, announce } = props;
  return (
    <div className={styles.field}>
      <div className={styles.top}>
        <label htmlFor={ids.id} className={hideLabel ? 'visually-hidden' : undefined}>
          {label}
        </label>
        {aside}
      </div>
      {control}
      {error && (
        <p id={ids.errorId} className={styles.error} role={announce ? 'alert' : undefined}>
          {kindIcons.danger}
          <span>{error}</span>
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
