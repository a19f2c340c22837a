import { isLongEnough } from '#contract/split-by-bytes/field-parts.ts';
import { isGuessable } from '#contract/accounts/guessable.ts';
import { newPasswordText as text } from '#words/new-password.ts';
import styles from './password-hints.module.css';

type Props = {
  password: string;
  email?: string;
  more?: readonly { met: boolean; words: string }[];
  /** The password was refused, so nothing is ticked off. */
  refused?: boolean;
};

/** Only the server knows the list of common passwords. */
export function PasswordHints({ password, email, more, refused = false }: Props) {
  // An empty password is not checked, because the first view has to stay fast.
  const isChecked = password !== '' && !refused;
  return (
    <>
      <Hint met={isChecked && isLongEnough(password)}>{text.long}</Hint>
      <Hint met={isChecked && !isGuessable(password, { email: email ?? null, names: [] })}>
        {email === undefined ? text.notOurs : text.notYours}
      </Hint>
      {more?.map(({ met, words }) => (
        <Hint key={words} met={isChecked && met}>
          {words}
        </Hint>
      ))}
    </>
  );
}

function Hint({ met, children }: { met: boolean; children: string }) {
  return (
    <span className={met ? styles.met : styles.hint}>
      <span>{children}</span>
      {met && <span className="visually-hidden"> {text.met}</span>}
    </span>
  );
}
