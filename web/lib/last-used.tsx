import type { SignInMethod } from '#contract/social.ts';
import { socialButtonsText } from '#contract/text/social-buttons.ts';
import { classNames } from '#web/ui/class-names.ts';
import styles from './last-used.module.css';

/** On the edge of the button whose badge it is, for who signed in this way the last time; the server marked the page. */
export const LastUsed = ({ method }: { method: SignInMethod }) => (
  <span className={classNames(styles.lastUsed, styles[method])}>{socialButtonsText.lastUsed}</span>
);
