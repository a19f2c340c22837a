import { problemWords } from '#contract/webhooks/problem-words.ts';
import { webhookMailText } from '#words/webhook-mail.ts';
import { fillWords, mailOf } from '#server/mail/frame.ts';

type Words = { readonly address: string; readonly reason: string };
const inWords =
  <W extends Words>(words: W) =>
  () => ({ ...words, reason: problemWords(words.reason) });

/** To each Super Admin. */
export const switchedOffWords = (words: Words & { readonly organization: string }) =>
  fillWords(webhookMailText.switchedOff, inWords(words));

/** To the operator. */
export const switchedOffOfSuiteMail = (words: Words) =>
  mailOf(webhookMailText.switchedOffOfSuite, inWords(words));
