import { isLongEnough } from '#contract/field-parts.ts';
import { isGuessable } from '#contract/guessable.ts';
import { PASSWORD_MIN_CHARACTERS, PRODUCT_NAME } from '#contract/limits.ts';
import { newPasswordText as text } from '#contract/text/new-password.ts';
import { fill } from '#contract/text.ts';
import styles from './password-hints.module.css';

type Props = {
  password: string;
  /** Whose password it will be, where the page knows. */
  email?: string;
  /** What else this page asks of it. */
  more?: readonly { met: boolean; words: string }[];
  /** It was refused, for whatever reason: then nothing is ticked off. */
  refused?: boolean;
};

/** What a new password needs, ticked off while it is typed; whether it is a common one only the server's lists tell. */
export function PasswordHints({ password, email, more, refused = false }: Props) {
  const isMet = (met: boolean) => met && password !== '' && !refused;
  return (
    <>
      <Hint met={isMet(isLongEnough(password))}>{fill(text.long, { min: PASSWORD_MIN_CHARACTERS })}</Hint>
      <Hint met={isMet(!isGuessable(password, { email: email ?? null, names: [] }))}>
        {fill(email === undefined ? text.notOurs : text.notYours, { product: PRODUCT_NAME })}
      </Hint>
      {more?.map(({ met, words }) => (
        <Hint key={words} met={isMet(met)}>
          {words}
        </Hint>
      ))}
    </>
  );
}

function Hint({ met, children }: { met: boolean; children: string }) {
  return (
    <span className={met ? styles.met : styles.hint}>
      {children}
      {met && <span className="visually-hidden"> {text.met}</span>}
    </span>
  );
}
