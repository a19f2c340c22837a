import { zonedMomentIn } from '#contract/dates.ts';
import { secondStepMailText } from '#words/second-step-mail.ts';
import { isUntilLifted } from '#contract/time.ts';
import { mailText } from '#words/mail.ts';
import { mailOf, noticeOf } from '#server/mail/frame.ts';

export const sessionsEndedNotice = noticeOf('account', mailText.sessionsEnded, {});
export const restrictedNotice = (until: Date, timeZone: string | null) =>
  isUntilLifted(until)
    ? noticeOf('account', mailText.restrictedUntilLifted, {})
    : noticeOf('account', mailText.restricted, () => ({ moment: zonedMomentIn(timeZone)(until) }));
export const secondStepsResetNotice = noticeOf('twoStep', secondStepMailText.secondStepsReset, {});
export const liftedNotice = noticeOf('account', mailText.lifted, {});

const pageOf = ({ origin }: URL) => `${origin}/resetpassword?digest={{digest}}`;
export const passwordEndedMail = (publicUrl: URL) =>
  mailOf(mailText.passwordEnded, { host: publicUrl.host }, pageOf(publicUrl));
export const addressReturnedMail = (publicUrl: URL) =>
  mailOf(mailText.addressReturned, { host: publicUrl.host }, pageOf(publicUrl));
export const addressLostMail = ({ host }: URL) => mailOf(mailText.addressLost, { host });
