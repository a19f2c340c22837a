import { zonedMomentIn } from '#contract/dates.ts';
import { secondStepMailText } from '#words/second-step-mail.ts';
import { mailText } from '#words/mail.ts';
import { noticeOf } from '#server/mail/frame.ts';

export const sessionsEndedNotice = noticeOf('account', mailText.sessionsEnded, {});
export const restrictedNotice = (until: Date, timeZone: string | null) =>
  noticeOf('account', mailText.restricted, () => ({ moment: zonedMomentIn(timeZone)(until) }));
export const secondStepsResetNotice = noticeOf('twoStep', secondStepMailText.secondStepsReset, {});
export const liftedNotice = noticeOf('account', mailText.lifted, {});
