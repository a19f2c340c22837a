import { companyMailText } from '#words/company-mail.ts';
import { fillWords, mailOf } from '#server/mail/frame.ts';

export const askedWords = (words: { readonly organization: string; readonly person: string }) =>
  fillWords(companyMailText.asked, words);

export const letInMail = (organization: string, url: string) =>
  mailOf(companyMailText.letIn, { organization }, url);

export const refusedMail = (organization: string) => mailOf(companyMailText.refused, { organization });
