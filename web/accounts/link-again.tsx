import type { confirmation } from '#contract/accounts/confirmation.ts';
import type { accountRestore } from '#contract/accounts/restore.ts';
import { RESEND_WAIT_SECONDS } from '#contract/limits.ts';
import { plainAddress } from '#contract/split-by-bytes/field-parts.ts';
import { confirmationText } from '#words/confirmation.ts';
import { showAlert } from '#web/lib/alert-store.ts';
import { asClock, useCountdown } from '#web/lib/countdown.ts';
import { useForm } from '#web/lib/form.ts';
import type { StoredText } from '#web/lib/stored-text.ts';
import { useCall } from '#web/lib/use-call.ts';
import { EmailField } from '#web/public-pages/email-field.tsx';
import { PageForm } from '#web/public-pages/page-form.tsx';
import { SentPanel } from '#web/public-pages/sent-panel.tsx';
import { Button } from '#web/ui/button.tsx';

const text = confirmationText.resend;

export type MailedLink = {
  readonly call: typeof confirmation.resendVerification | typeof accountRestore.resendRestore;
  readonly address: StoredText;
  readonly submit: string;
  readonly noMail: string;
};

type Props = {
  link: MailedLink;
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

function ResendForm({ link, onSent }: { link: MailedLink; onSent: (email: string) => void }) {
  const form = useForm(link.call, {
    initial: { email: link.address.read() ?? '' },
    above: ['too_many_requests', 'unavailable'],
    onDone: (_nothing, values) => {
      const email = plainAddress(values.email);
      link.address.keep(email);
      onSent(email);
    },
  });
  return (
    <PageForm form={form} act={link.submit}>
      <EmailField recalls form={form} label={text.email} autoComplete="email" />
    </PageForm>
  );
}

function ResendButton({ call, email }: { call: MailedLink['call']; email: string }) {
  const { left, restart } = useCountdown(RESEND_WAIT_SECONDS, { running: true });
  const { run, busy } = useCall(call);
  const waiting = left > 0;

  const send = async () => {
    if ((await run({ email })) === undefined) return;
    restart();
    showAlert({ kind: 'success', text: text.sent });
  };

  // Not `disabled`, because a disabled button would lose the focus after the press.
  return (
    <Button wide busy={busy} aria-disabled={waiting} onClick={() => !waiting && void send()}>
      <span className="tabular">{waiting ? text.againIn({ time: asClock(left) }) : text.again}</span>
    </Button>
  );
}
