import { secondStepMailText as mailText } from '#contract/text/second-step-mails.ts';
import { noticeOf } from '#server/mail/frame.ts';

export const recoveryCodesNotice = noticeOf('twoStep', mailText.recoveryCodesRenewed, {});
