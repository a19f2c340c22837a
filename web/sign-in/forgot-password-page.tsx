import { useState } from 'react';
import { plainAddress } from '#contract/split-by-bytes/field-parts.ts';
import { RESET_MINUTES } from '#contract/limits.ts';
import { recovery } from '#contract/sign-in/recovery.ts';
import { publicText } from '#words/public.ts';
import { recoveryText } from '#words/recovery.ts';
import { EmailField } from '#web/public-pages/email-field.tsx';
import { keepErrand } from '#web/public-pages/errand.ts';
import { useForm } from '#web/lib/form.ts';
import { typedEmail } from '#web/lib/stored-text.ts';
import { useAside } from '#web/lib/navigate.ts';
import { PageHead } from '#web/public-pages/page-head.tsx';
import type { PublicPage } from '#web/public-pages/public-page.ts';
import { SentPanel } from '#web/public-pages/sent-panel.tsx';
import { useCall } from '#web/lib/use-call.ts';
import { showAlert } from '#web/lib/alert-store.ts';
import { PageForm } from '#web/public-pages/page-form.tsx';
import { Button } from '#web/ui/button.tsx';

const text = recoveryText.forgot;
const heads = {
  ask: { heading: text.title, lead: text.lead },
  sent: { heading: text.sentHeading, lead: text.sentLead },
};

function ForgotPasswordPage() {
  const [email, setEmail] = useState<string>();
  return (
    <>
      <PageHead {...(email === undefined ? heads.ask : heads.sent)} />
      {email === undefined ? (
        <AskForm onSent={setEmail} />
      ) : (
        <SentPanel
          email={email}
          full
          resend={<ResendOnce email={email} />}
          noMail={text.noMail}
          onOther={() => setEmail(undefined)}
        />
      )}
      <p>
        <a href={useAside('/login')}>{publicText.toLogin}</a>
      </p>
    </>
  );
}

function AskForm({ onSent }: { onSent: (email: string) => void }) {
  const form = useForm(recovery.forgotPassword, {
    initial: { email: '' },
    beside: { user_not_found: 'email' },
    above: ['too_many_requests', 'unavailable'],
    onDone: (_nothing, { email }) => {
      typedEmail.keep(plainAddress(email));
      keepErrand(RESET_MINUTES);
      onSent(plainAddress(email));
    },
  });
  return (
    <PageForm form={form} act={text.submit}>
      <EmailField recalls form={form} label={text.email} autoComplete="username" />
    </PageForm>
  );
}

/** Sends one more mail, once. For a third one the person starts again, because the address may be wrong. */
function ResendOnce({ email }: { email: string }) {
  const [wasResent, setWasResent] = useState(false);
  const { run, busy } = useCall(recovery.forgotPassword);
  const send = async () => {
    if ((await run({ email })) === undefined) return;
    setWasResent(true);
    showAlert({ kind: 'success', text: text.resent });
  };
  // Not `disabled`, because a disabled button would lose the focus after the press.
  return (
    <Button wide busy={busy} aria-disabled={wasResent} onClick={() => !wasResent && void send()}>
      {wasResent ? text.sentAgain : text.again}
    </Button>
  );
}

export const page: PublicPage = { title: text.title, View: ForgotPasswordPage };
