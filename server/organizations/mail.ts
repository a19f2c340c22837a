import { mailText } from '#contract/text/mails.ts';
import { mailOf } from '#server/mail/frame.ts';

type Words = { readonly organization: string; readonly before: string; readonly after: string };

/** To each Super Admin. */
export const urlNameMail = (words: Words, url: string) => mailOf(mailText.urlNameReplaced, words, url);
