import type { MailedLink } from '#web/accounts/mailed-link.ts';
import { ResendButton } from '#web/accounts/resend-button.tsx';
import { ResendForm } from '#web/accounts/resend-form.tsx';
import { SentPanel } from '#web/public-pages/sent-panel.tsx';

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
