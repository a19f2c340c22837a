import { companyMailText } from '#words/company-mail.ts';
import { mailOf } from '#server/mail/frame.ts';

export const letInMail = (organization: string, url: string) =>
  mailOf(companyMailText.letIn, { organization }, url);

export const refusedMail = (organization: string) => mailOf(companyMailText.refused, { organization });
