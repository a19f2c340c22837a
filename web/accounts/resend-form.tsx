import { accounts } from '#contract/accounts.ts';
import { confirmationText } from '#contract/text/confirmation.ts';
import { EmailField } from '#web/lib/email-field.tsx';
import { useForm } from '#web/lib/form.ts';
import { pendingEmail } from '#web/lib/kept.ts';
import { RefusalNotice } from '#web/lib/refusal-notice.tsx';
import { Button } from '#web/ui/button.tsx';

const text = confirmationText.resend;

/** Asks for an address and has a new confirmation link sent to it. */
export function ResendForm({ onSent }: { onSent: (email: string) => void }) {
  const form = useForm(accounts.resendVerification, {
    initial: { email: '' },
    above: ['too_many_requests', 'unavailable'],
    onDone: (_nothing, values) => {
      const email = values.email.trim();
      pendingEmail.keep(email);
      onSent(email);
    },
  });
  return (
    <form {...form.props}>
      <RefusalNotice form={form} />
      <EmailField form={form} label={text.email} autoComplete="email" />
      <Button type="submit" kind="primary" wide busy={form.busy}>
        {text.submit}
      </Button>
    </form>
  );
}
