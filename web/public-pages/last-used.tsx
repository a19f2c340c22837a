import type { SignInMethod } from '#contract/social/calls.ts';
import { socialButtonsText } from '#contract/text/social-buttons.ts';
import { classNames } from '#web/ui/class-names.ts';
import styles from './last-used.module.css';

/** Always rendered; the server marks the page to show it. */
export const LastUsed = ({ method }: { method: SignInMethod }) => (
  <span className={classNames(styles.lastUsed, styles[method])}>{socialButtonsText.lastUsed}</span>
);
