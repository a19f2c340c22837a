import { companyLinkText } from '#words/company-link.ts';
import { mailText } from '#words/mail.ts';
import { noticeOf } from '#server/mail/frame.ts';

/** To the account's owner, because the company's provider opens the account from now on. */
export const linkedNotice = (organization: string, saidEmail: string | null) =>
  noticeOf('providers', mailText.linked, () => ({
    provider: organization,
    identity: saidEmail ?? companyLinkText.noAddress,
  }));
