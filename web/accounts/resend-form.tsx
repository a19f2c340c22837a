import { confirmationText } from '#contract/text/confirmation.ts';
import type { MailedLink } from '#web/accounts/link-again.tsx';
import { EmailField } from '#web/lib/email-field.tsx';
import { useForm } from '#web/lib/form.ts';
import { RefusalNotice } from '#web/lib/refusal-notice.tsx';
import { Button } from '#web/ui/button.tsx';

const text = confirmationText.resend;

type Props = { link: MailedLink; onSent: (email: string) => void };

/** Asks for an address and has the link sent to it. */
export function ResendForm({ link, onSent }: Props) {
  const form = useForm(link.call, {
    initial: { email: link.address.read() ?? '' },
    above: ['too_many_requests', 'unavailable'],
    onDone: (_nothing, values) => {
      const email = values.email.trim();
      link.address.keep(email);
      onSent(email);
    },
  });
  return (
    <form {...form.props}>
      <RefusalNotice form={form} />
      <EmailField form={form} label={text.email} autoComplete="email" />
      <Button type="submit" kind="primary" wide busy={form.busy}>
        {link.submit}
      </Button>
    </form>
  );
}
