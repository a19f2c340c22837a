import { dayIn } from '#contract/dates.ts';
import { PRODUCT_NAME } from '#contract/limits.ts';
import { frame, type Notice } from '#server/mail/frame.ts';
import type { MailContent } from '#server/mail/outbox.ts';

/** That the account is deactivated and until when, with the link that brings it back. */
export function restoreMail(publicUrl: URL, dueAt: Date, timeZone: string | null): MailContent {
  return frame({
    subject: 'Your account is deactivated',
    paragraphs: [
      `Somebody, hopefully you, asked to delete your ${PRODUCT_NAME} account. It is deactivated now: everybody is signed out, and nobody can sign in.`,
      `On ${dayIn(timeZone ?? 'UTC')(dueAt)} it is erased for good. Until then you can have it back as it was.`,
    ],
    action: { label: 'Restore my account', url: `${publicUrl.origin}/restoreaccount?digest={{digest}}` },
    footer: 'If it was not you, restore your account, and then choose a new password.',
  });
}

export const restoredNotice: Notice = {
  subject: 'Your account is back',
  paragraphs: [
    'Its deletion is cancelled: you can sign in again, and you are back in your organizations.',
    'Where an organization has no free seat any more, one of its admins can make room and let you in.',
  ],
};
