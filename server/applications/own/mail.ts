import { mailText } from '#contract/text/mails.ts';
import { mailOf } from '#server/mail/frame.ts';

export type Change = 'applicationAdded' | 'applicationSecret' | 'applicationRemoved';
type Words = { readonly organization: string; readonly application: string; readonly person: string };

/** To each Super Admin. */
export const applicationMail = (change: Change, words: Words, url: string) =>
  mailOf(mailText[change], words, url);
