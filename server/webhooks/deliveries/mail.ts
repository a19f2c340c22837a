import { webhookMailText } from '#contract/text/webhook-mails.ts';
import { mailOf } from '#server/mail/frame.ts';

type Words = { readonly organization: string; readonly address: string; readonly reason: string };

/** To each Super Admin. */
export const switchedOffMail = (words: Words, url: string) => mailOf(webhookMailText.switchedOff, words, url);
