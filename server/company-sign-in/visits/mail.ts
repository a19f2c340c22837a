import { mailText } from '#words/mail.ts';
import { noticeOf } from '#server/mail/frame.ts';

/** To the account's owner, because the company's provider opens the account from now on. */
export const linkedNotice = (organization: string) =>
  noticeOf('providers', mailText.linked, { provider: organization });
