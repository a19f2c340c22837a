import { secondStepMailText as mailText } from '#words/second-step-mail.ts';
import { noticeOf } from '#server/mail/frame.ts';

export const recoveryCodesNotice = noticeOf('twoStep', mailText.recoveryCodesRenewed, {});
