import { mailText } from '#contract/text/mails.ts';
import { noticeOf } from '#server/mail/frame.ts';

export const recoveryCodesNotice = noticeOf('twoStep', mailText.recoveryCodesRenewed, {});
