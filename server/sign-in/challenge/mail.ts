import { mailText } from '#words/mail.ts';
import { mailOf, noticeOf } from '#server/mail/frame.ts';

export const codeMail = (purpose: 'signInCode' | 'stepUpCode') =>
  mailOf(mailText[purpose], { code: '{code}' });

export const restrictedNotice = noticeOf('account', mailText.wrongCodes, {});
