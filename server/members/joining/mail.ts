import { mailText } from '#contract/text/mails.ts';
import { mailOf } from '#server/mail/frame.ts';

export const declinedMail = (organization: string, name: string) =>
  mailOf(mailText.declined, { organization, name });
