import { webhookMailText } from '#contract/text/webhook-mails.ts';
import { mailOf } from '#server/mail/frame.ts';

type Words = { readonly address: string; readonly reason: string };

/** To each Super Admin. */
export const switchedOffMail = (words: Words & { readonly organization: string }, url: string) =>
  mailOf(webhookMailText.switchedOff, words, url);

/** To the operator. */
export const switchedOffOfSuiteMail = (words: Words) => mailOf(webhookMailText.switchedOffOfSuite, words);
