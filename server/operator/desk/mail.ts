import { zonedMomentIn } from '#contract/dates.ts';
import { secondStepMailText } from '#words/second-step-mail.ts';
import { noticeOf } from '#server/mail/frame.ts';

export const resetAskedNotice = (at: Date, timeZone: string | null) =>
  noticeOf('twoStep', secondStepMailText.resetAsked, () => ({ moment: zonedMomentIn(timeZone)(at) }));
