import { accountRestore } from '#contract/accounts/restore.ts';
import { restoreText as text } from '#words/restore.ts';
import type { MailedLink } from './link-again.tsx';
import { typedEmail } from '#web/lib/stored-text.ts';

export const restoreLink: MailedLink = {
  call: accountRestore.resendRestore,
  address: typedEmail,
  submit: text.again,
  noMail: text.noMail,
};
