import { confirmation } from '#contract/confirmation.ts';
import { confirmationText as text } from '#contract/text/confirmation.ts';
import type { MailedLink } from '#web/accounts/link-again.tsx';
import { pendingEmail } from '#web/lib/kept.ts';

/** The link that confirms an address. */
export const verificationLink: MailedLink = {
  call: confirmation.resendVerification,
  address: pendingEmail,
  submit: text.resend.submit,
  noMail: text.verifyAccount.noMail,
};
