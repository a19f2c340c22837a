import { mailText } from '#contract/text/mails.ts';
import { fillWords } from '#server/mail/frame.ts';

export type Change = 'applicationAdded' | 'applicationMoved' | 'applicationSecret' | 'applicationRemoved';
type Words = { readonly organization: string; readonly application: string; readonly person: string };

/** To each Super Admin. */
export const applicationWords = (change: Change, words: Words) => fillWords(mailText[change], words);
