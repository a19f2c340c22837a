import { webhookMailText } from '#contract/text/webhook-mails.ts';
import { mailOf } from '#server/mail/frame.ts';

export type Change = Exclude<keyof typeof webhookMailText, `switchedOff${string}`>;
type Words = { readonly organization: string; readonly address: string; readonly person: string };

/** To each Super Admin. */
export const webhookMail = (change: Change, words: Words, url: string) =>
  mailOf(webhookMailText[change], words, url);
