import { mailText } from '#words/mail.ts';
import { mailOf } from '#server/mail/frame.ts';

type Words = { readonly organization: string; readonly before: string; readonly after: string };

export const urlNameMail = (words: Words, url: string) => mailOf(mailText.urlNameReplaced, words, url);
