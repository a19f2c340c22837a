import { mailText } from '#contract/text/mails.ts';
import { frame, mailOf, type Notice } from '#server/mail/frame.ts';

export const confirmAddressMail = ({ host, origin }: URL) =>
  mailOf(mailText.confirmAddress, { host }, `${origin}/verifyemail?digest={{digest}}`);

/** Tells the owner of an address that a sign-up with it was tried. Sent under neutral disclosure. */
export const accountExistsMail = ({ origin }: URL) => mailOf(mailText.accountExists, {}, `${origin}/login`);

export const noticeMail = ({ origin }: URL, notice: Notice) =>
  frame({
    ...notice,
    action: { label: mailText.notice.button, url: `${origin}/notme?digest={{digest}}` },
    footer: mailText.notice.footer,
  });
