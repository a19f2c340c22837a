import { CODE_MINUTES, RESTRICTION_HOURS } from '#contract/limits.ts';
import { frame, type Notice } from '#server/mail/frame.ts';
import type { MailContent } from '#server/mail/outbox.ts';

/** A one-time code; `{{code}}` is put in when the mail leaves. */
export const codeMail = (purpose: 'sign in' | 'confirm it is you'): MailContent =>
  frame({
    subject: 'Your code',
    paragraphs: [`Your code to ${purpose} is {{code}}.`, `It works once and for ${CODE_MINUTES} minutes.`],
    footer:
      'If you did not ask for a code, somebody knows your password: sign in and change it. Never tell anybody this code.',
  });

export const restrictedNotice: Notice = {
  subject: 'Your account is restricted for a while',
  paragraphs: [
    `Ten codes in a row were wrong, each after your right password. To be safe nobody can sign in for ${RESTRICTION_HOURS} hours, unless you choose a new password before.`,
  ],
};
