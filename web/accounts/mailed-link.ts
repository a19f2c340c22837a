import type { confirmation } from '#contract/accounts/confirmation.ts';
import type { accountRestore } from '#contract/accounts/restore.ts';
import type { StoredText } from '#web/lib/stored-text.ts';

/** A mailed link that can be sent again. */
export type MailedLink = {
  readonly call: typeof confirmation.resendVerification | typeof accountRestore.resendRestore;
  /** Keeps the address for this tab. */
  readonly address: StoredText;
  readonly submit: string;
  /** Advice when no mail arrives. */
  readonly noMail: string;
};
