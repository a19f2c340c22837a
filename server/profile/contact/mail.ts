import { maskEmail } from '#contract/mask.ts';
import { EMAIL_CHANGE_HOURS, EMAIL_UNDO_DAYS, PRODUCT_NAME } from '#contract/limits.ts';
import { frame } from '#server/mail/frame.ts';
import type { MailContent } from '#server/mail/outbox.ts';

/** The link that makes an address the account's. */
export const newAddressMail = (publicUrl: URL): MailContent =>
  frame({
    subject: 'Confirm your new email address',
    paragraphs: [
      `Please confirm that this is to be the address of your ${PRODUCT_NAME} account. Until then the former one stays.`,
      `The link works once and for ${EMAIL_CHANGE_HOURS} hours. Only you can use it: it asks for your sign-in or your password.`,
    ],
    action: {
      label: 'Confirm my new address',
      url: `${publicUrl.origin}/verifyemail?new=1&digest={{digest}}`,
    },
    footer: `Somebody with an account at ${publicUrl.host} typed this address. If it was not you, do nothing: nothing changes.`,
  });

/** To the owner of an address that somebody else wanted for their account, where the portal does not tell who has one. */
export const addressTakenMail = (publicUrl: URL): MailContent =>
  frame({
    subject: 'Somebody tried to use your address',
    paragraphs: [
      `Somebody who is signed in at ${PRODUCT_NAME} wanted this address for their account. It is your account’s already, so nothing was changed.`,
      'If it was you: delete the other account or change its address first, one address opens one account.',
    ],
    action: { label: 'Sign in', url: `${publicUrl.origin}/login` },
    footer: 'If it was not you, do nothing.',
  });

/** To the former address, before and after the change: what happened, and the way to undo it. */
export function changeNotice(publicUrl: URL, email: string, done: boolean): MailContent {
  // Who reads the former mailbox need not be who has the new one.
  const masked = maskEmail(email);
  return frame({
    subject: done ? 'Your email address was changed' : 'Your email address is about to change',
    paragraphs: [
      done
        ? `The address of your ${PRODUCT_NAME} account is ${masked} from now on. You sign in with it, and mails go there.`
        : `Somebody, hopefully you, wants ${masked} to be the address of your ${PRODUCT_NAME} account. Until it is confirmed this one stays.`,
    ],
    action: { label: 'Keep this address', url: `${publicUrl.origin}/restoreemail?digest={{digest}}` },
    footer: `If this was you, there is nothing to do. The link brings this address back, signs everybody out and lets you choose a new password; it works once, for ${EMAIL_UNDO_DAYS} days.`,
  });
}

/** To the address that was the account's until its former one was taken back. */
export const setBackMail = (publicUrl: URL): MailContent =>
  frame({
    subject: 'Your email address was set back',
    paragraphs: [
      `The former address of your ${PRODUCT_NAME} account was taken back with the link mailed to it. This one no longer opens the account, and everybody was signed out.`,
    ],
    footer: `If you did not expect this, ask whoever runs ${publicUrl.host} for help.`,
  });
