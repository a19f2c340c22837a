import { supportText as text } from '#contract/text/support.ts';
import { fill } from '#contract/text.ts';
import styles from './deadline.module.css';

const day = new Intl.DateTimeFormat('en', { dateStyle: 'long' });

/** How long there is still time, and until when. */
export const timeLeft = (daysLeft: number, until: Date) => ({
  left: daysLeft === 1 ? text.dayLeft : fill(text.daysLeft, { days: daysLeft }),
  hint: fill(text.erasedOn, { date: day.format(until) }),
});

/** A time that counts, set apart from the words around it. */
export const Deadline = ({ left, hint }: { left: string; hint: string }) => (
  <div className={styles.time}>
    <strong>{left}</strong>
    <span>{hint}</span>
  </div>
);
