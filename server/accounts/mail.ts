import { profileSections } from '#contract/profile/sections.ts';
import { mailText } from '#words/mail.ts';
import { frame, mailOf, type Notice } from '#server/mail/frame.ts';
import type { WriteMail } from '#server/mail/outbox.ts';

export const confirmAddressMail = ({ host, origin }: URL) =>
  mailOf(mailText.confirmAddress, { host }, `${origin}/verifyemail?digest={{digest}}`);

/** Tells the owner of an address that a sign-up with it was tried. Sent under neutral disclosure. */
export const accountExistsMail = ({ origin }: URL) => mailOf(mailText.accountExists, {}, `${origin}/login`);

const pages = {
  newDevice: 'signindevices',
  applications: `myprofile#${profileSections.applications}`,
  twoStep: `myprofile#${profileSections.waysIn}`,
} as const;
const hasPage = (about: ReturnType<Notice>['about']): about is keyof typeof pages => about in pages;
export const noticeMail =
  ({ origin }: URL, notice: Notice): WriteMail =>
  () => {
    const { about, ...words } = notice();
    return frame({
      ...words,
      action: { label: mailText.notice.button, url: `${origin}/notme?digest={{digest}}` },
      ...(hasPage(about) && {
        page: { label: mailText.notice.see[about], url: `${origin}/account/${pages[about]}` },
      }),
      footer: mailText.notice.footer,
    });
  };
