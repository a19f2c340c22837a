import { PRODUCT_NAME, RESET_MINUTES } from '#contract/limits.ts';
import { frame, type Notice } from '#server/mail/frame.ts';
import type { MailContent } from '#server/mail/outbox.ts';

/** The link to choose a new password with; who has none is told how they sign in. */
export const resetMail = (publicUrl: URL, providers: readonly string[]): MailContent =>
  frame({
    subject: 'Choose a new password',
    paragraphs: [
      `Somebody, hopefully you, asked for a new password for your ${PRODUCT_NAME} account.`,
      ...(providers.length > 0
        ? [
            `Your account has no password: you sign in with ${providers.join(' or ')}. You can go on like that, or choose a password with the link.`,
          ]
        : []),
      `The link works once and for ${RESET_MINUTES} minutes. Choosing a new password signs you out everywhere.`,
    ],
    action: { label: 'Choose a new password', url: `${publicUrl.origin}/resetpassword?digest={{digest}}` },
    footer: 'If it was not you, do nothing: your password stays as it is.',
  });

export const passwordNotice: Notice = {
  subject: 'Your password was changed',
  paragraphs: ['The password of your account was changed, and everybody else was signed out.'],
};
