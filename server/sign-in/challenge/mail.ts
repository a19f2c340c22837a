import { mailText } from '#contract/text/mails.ts';
import { mailOf, noticeOf } from '#server/mail/frame.ts';

/** A one-time code. `{{code}}` is replaced when the mail is sent. */
export const codeMail = (purpose: 'signInCode' | 'stepUpCode') => mailOf(mailText[purpose], {});

export const restrictedNotice = noticeOf('account', mailText.wrongCodes, {});
