import { accounts } from '#contract/accounts.ts';
import { confirmationText } from '#contract/text/confirmation.ts';
import { useForm } from '#web/lib/form.ts';
import { pendingEmail } from '#web/lib/kept.ts';
import { RefusalNotice } from '#web/lib/refusal-notice.tsx';
import { Button } from '#web/ui/button.tsx';
import { TextField } from '#web/ui/field.tsx';

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
      <TextField
        label={text.email}
        type="email"
        name="email"
        autoComplete="email"
        autoCapitalize="none"
        spellCheck={false}
        required
        value={form.values.email}
        error={form.messages['email']}
        onChange={(event) => form.set('email', event.target.value)}
      />
      <Button type="submit" kind="primary" wide busy={form.busy}>
        {text.submit}
      </Button>
    </form>
  );
}
