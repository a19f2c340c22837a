import { mailText } from '#words/mail.ts';
import { mailOf } from '#server/mail/frame.ts';

export const declinedMail = (organization: string, name: string) =>
  mailOf(mailText.declined, { organization, name });
