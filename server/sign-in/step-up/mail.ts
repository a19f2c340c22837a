import { mailText } from '#contract/text/mails.ts';
import { noticeOf } from '#server/mail/frame.ts';

export const twoStepNotice = (on: boolean) =>
  noticeOf('twoStep', on ? mailText.twoStepOn : mailText.twoStepOff, {});
