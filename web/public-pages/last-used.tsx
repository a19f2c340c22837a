import type { SignInMethod } from '#contract/social/calls.ts';
import { socialButtonsText } from '#words/social-buttons.ts';
import { classNames } from '#web/ui/class-names.ts';
import styles from './last-used.module.css';

/** Every page renders it hidden, because pages are drawn ahead; a mark that the server sets on the page shows it. */
export const LastUsed = ({ method }: { method: SignInMethod }) => (
  <span className={classNames(styles.lastUsed, styles[method])}>{socialButtonsText.lastUsed}</span>
);
