import { mailText } from '#contract/text/mails.ts';
import { mailOf } from '#server/mail/frame.ts';

export type Change = 'webhookAdded' | 'webhookMoved' | 'webhookSecret' | 'webhookRemoved';
type Words = { readonly organization: string; readonly address: string; readonly person: string };

/** To each Super Admin. */
export const webhookMail = (change: Change, words: Words, url: string) =>
  mailOf(mailText[change], words, url);
