import { deletion } from '#contract/deletion.ts';
import { restoreText as text } from '#contract/text/restore.ts';
import type { MailedLink } from '#web/accounts/link-again.tsx';
import { typedEmail } from '#web/lib/kept.ts';

/** The link that restores a deactivated account. */
export const restoreLink: MailedLink = {
  call: deletion.resendRestore,
  address: typedEmail,
  submit: text.again,
  noMail: text.noMail,
};
