import { CONFIRMATION_HOURS, NOT_ME_DAYS, PRODUCT_NAME } from '#contract/limits.ts';
import { frame, type Notice } from '#server/mail/frame.ts';
import type { MailContent } from '#server/mail/outbox.ts';

/** The link that confirms an address. */
export const confirmAddressMail = (publicUrl: URL): MailContent =>
  frame({
    subject: 'Confirm your email address',
    paragraphs: [
      `Welcome to ${PRODUCT_NAME}. Please confirm that this address is yours: with it you get back in when you forget your password.`,
      `The link works once and for ${CONFIRMATION_HOURS} hours.`,
    ],
    action: { label: 'Confirm my address', url: `${publicUrl.origin}/verifyemail?digest={{digest}}` },
    footer: `Somebody signed up at ${publicUrl.host} with this address. If it was not you, do nothing: without the link the account stays unconfirmed.`,
  });

/** To the owner of an address that somebody tried to sign up with, when the portal does not tell who has an account. */
export const accountExistsMail = (publicUrl: URL): MailContent =>
  frame({
    subject: 'You already have an account',
    paragraphs: [
      `Somebody tried to sign up at ${PRODUCT_NAME} with this address. You already have an account, so nothing was changed.`,
    ],
    action: { label: 'Sign in', url: `${publicUrl.origin}/login` },
    footer: 'If it was not you, do nothing.',
  });

/** A security mail: what happened, and the way to undo it if it was not oneself. */
export const noticeMail = (publicUrl: URL, notice: Notice): MailContent =>
  frame({
    ...notice,
    action: { label: 'This wasn’t me', url: `${publicUrl.origin}/notme?digest={{digest}}` },
    footer: `If this was you, there is nothing to do. The link signs you out everywhere and lets you choose a new password; it works once, for ${NOT_ME_DAYS} days.`,
  });
