import { confirmation } from '#contract/accounts/confirmation.ts';
import { confirmationText as text } from '#words/confirmation.ts';
import type { MailedLink } from './link-again.tsx';
import { pendingEmail } from '#web/lib/stored-text.ts';

export const verificationLink: MailedLink = {
  call: confirmation.resendVerification,
  address: pendingEmail,
  submit: text.resend.submit,
  noMail: text.verifyAccount.noMail,
};
