import { webhookMailText } from '#contract/text/webhook-mails.ts';
import { fillWords } from '#server/mail/frame.ts';

export type Change = Exclude<keyof typeof webhookMailText, `switchedOff${string}`>;
type Words = { readonly organization: string; readonly address: string; readonly person: string };

/** To each Super Admin. */
export const webhookWords = (change: Change, words: Words) => fillWords(webhookMailText[change], words);
