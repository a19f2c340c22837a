import { mailText } from '#words/mail.ts';
import { noticeOf } from '#server/mail/frame.ts';

export const twoStepNotice = (on: boolean) =>
  noticeOf('twoStep', on ? mailText.twoStepOn : mailText.twoStepOff, {});
