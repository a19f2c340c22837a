import { dayIn } from '#contract/dates.ts';
import { mailText } from '#words/mail.ts';
import { mailOf, noticeOf } from '#server/mail/frame.ts';

export const restoreMail = ({ origin }: URL, dueAt: Date, timeZone: string | null) =>
  mailOf(
    mailText.deactivated,
    () => ({ day: dayIn(timeZone ?? 'UTC')(dueAt) }),
    `${origin}/restoreaccount?digest={{digest}}`,
  );

export const restoredNotice = noticeOf('account', mailText.restored, {});
