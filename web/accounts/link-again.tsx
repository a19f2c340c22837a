import type { confirmation } from '#contract/confirmation.ts';
import type { deletion } from '#contract/deletion.ts';
import { ResendButton } from '#web/accounts/resend-button.tsx';
import { ResendForm } from '#web/accounts/resend-form.tsx';
import type { Kept } from '#web/lib/kept.ts';
import { SentPanel } from '#web/lib/sent-panel.tsx';

/** A mailed link that may be sent again. */
export type MailedLink = {
  readonly call: typeof confirmation.resendVerification | typeof deletion.resendRestore;
  /** Where this tab keeps the address it goes to. */
  readonly address: Kept;
  readonly submit: string;
  /** What to do when no mail comes. */
  readonly noMail: string;
};

type Props = {
  link: MailedLink;
  /** Where it was sent, once it was. */
  email: string | undefined;
  onEmail: (email: string | undefined) => void;
};

/** Has a mailed link sent again: asks for the address, then says where the mail went. */
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
