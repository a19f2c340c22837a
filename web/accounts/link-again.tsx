import type { confirmation } from '#contract/accounts/confirmation.ts';
import type { deletion } from '#contract/accounts/restore.ts';
import { ResendButton } from '#web/accounts/resend-button.tsx';
import { ResendForm } from '#web/accounts/resend-form.tsx';
import type { StoredText } from '#web/lib/stored-text.ts';
import { SentPanel } from '#web/public-pages/sent-panel.tsx';

/** A mailed link that can be sent again. */
export type MailedLink = {
  readonly call: typeof confirmation.resendVerification | typeof deletion.resendRestore;
  /** Keeps the address for this tab. */
  readonly address: StoredText;
  readonly submit: string;
  /** Advice when no mail arrives. */
  readonly noMail: string;
};

type Props = {
  link: MailedLink;
  /** The address of the sent mail, or undefined. */
  email: string | undefined;
  onEmail: (email: string | undefined) => void;
};

/** Sends a mailed link again: asks for the address, then shows where the mail went. */
export function LinkAgain({ link, email, onEmail }: Props) {
  if (email === undefined) return <ResendForm link={link} onSent={onEmail} />;
  return (
    <SentPanel
      email={email}
      resend={<ResendButton call={link.call} email={email} />}
      noMail={link.noMail}
      onOther={() => onEmail(undefined)}
    />
  );
}
