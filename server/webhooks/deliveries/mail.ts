import { webhookMailText } from '#words/webhook-mail.ts';
import { fillWords, mailOf } from '#server/mail/frame.ts';

type Words = { readonly address: string; readonly reason: string };

/** To each Super Admin. */
export const switchedOffWords = (words: Words & { readonly organization: string }) =>
  fillWords(webhookMailText.switchedOff, words);

/** To the operator. */
export const switchedOffOfSuiteMail = (words: Words) => mailOf(webhookMailText.switchedOffOfSuite, words);
