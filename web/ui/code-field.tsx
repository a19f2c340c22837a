import { type ClipboardEvent, type Ref, useState } from 'react';
import { OTP_CHARACTERS } from '#contract/limits.ts';
import { classNames } from './class-names.ts';
import { codeDigits, isWholeCode } from './code-digits.ts';
import styles from './code-field.module.css';
import { FieldFrame, useField } from './field-frame.tsx';

type Props = {
  ref: Ref<HTMLInputElement>;
  label: string;
  value: string;
  error: string | undefined;
  onChange: (code: string) => void;
};

/** More than a code has, so that a code with spaces or dashes can be pasted. */
const TYPED_MAX = 32;
const cellCount: Record<string, number> = { '--cells': OTP_CHARACTERS };
const cells = Array.from({ length: OTP_CHARACTERS }, (_, index) => index);

export function CodeField({ ref, label, value, error, onChange }: Props) {
  const { frame, control } = useField({ label, error, hideLabel: true });
  const [selection, setSelection] = useState({ from: 0, to: 0 });
  const from = Math.min(selection.from, value.length, OTP_CHARACTERS - 1);
  const to = Math.min(Math.max(selection.to, from + 1), Math.max(value.length, from + 1));

  /** A pasted complete code replaces everything, whatever is selected. */
  const paste = (event: ClipboardEvent) => {
    const code = codeDigits(event.clipboardData.getData('text'));
    if (!isWholeCode(code)) return;
    event.preventDefault();
    onChange(code);
  };
  return (
    <FieldFrame {...frame} announce>
      <div className={styles.box} style={cellCount}>
        <input
          {...control}
          ref={ref}
          name="otp"
          autoComplete="one-time-code"
          inputMode="numeric"
          maxLength={TYPED_MAX}
          required
          className={styles.input}
          value={value}
          onChange={(event) => onChange(codeDigits(event.target.value))}
          onPaste={paste}
          onSelect={({ currentTarget: { selectionStart, selectionEnd } }) =>
            setSelection({ from: selectionStart ?? 0, to: selectionEnd ?? 0 })
          }
        />
        {cells.map((index) => (
          <span
            key={index}
            aria-hidden="true"
            className={classNames(styles.cell, index >= from && index < to && styles.caret)}
          >
            {value[index]}
          </span>
        ))}
      </div>
    </FieldFrame>
  );
}
