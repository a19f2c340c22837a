import { useState } from 'react';
import { uiText } from '#words/ui.ts';
import { classNames } from './class-names.ts';
import { FieldFrame, useField, type FieldWords, type Native } from './field-frame.tsx';
import styles from './field.module.css';
import { Icon } from './icon.tsx';

const LIDS = 'M2 12a10.75 10.75 0 0 1 20 0 10.75 10.75 0 0 1-20 0';
const EYE = `${LIDS}M9 12a3 3 0 1 0 6 0 3 3 0 1 0-6 0`;
const EYE_OFF = `${LIDS}M4 4l16 16`;

type PasswordFieldProps = FieldWords & Omit<Native<'input'>, 'type'>;

export function PasswordField(props: PasswordFieldProps) {
  const { frame, control } = useField<Native<'input'>>(props);
  const [isVisible, setVisible] = useState(false);
  const name = isVisible ? uiText.hidePassword : uiText.showPassword;
  return (
    <FieldFrame {...frame}>
      <div className={styles.box}>
        <input
          autoCapitalize="none"
          spellCheck={false}
          {...control}
          type={isVisible ? 'text' : 'password'}
          className={classNames(styles.input, styles.hasEnd)}
        />
        <button
          type="button"
          className={classNames(styles.end, styles.eye)}
          aria-label={name}
          aria-controls={frame.id}
          title={name}
          onClick={() => setVisible(!isVisible)}
        >
          <Icon d={isVisible ? EYE_OFF : EYE} />
        </button>
      </div>
    </FieldFrame>
  );
}
