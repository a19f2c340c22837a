import { plainAddress } from '#contract/split-by-bytes/field-parts.ts';
import { confirmationText } from '#contract/text/confirmation.ts';
import type { MailedLink } from '#web/accounts/mailed-link.ts';
import { EmailField } from '#web/public-pages/email-field.tsx';
import { useForm } from '#web/lib/form.ts';
import { RefusalNotice } from '#web/ui/refusal-notice.tsx';
import { Button } from '#web/ui/button.tsx';

const text = confirmationText.resend;

type Props = { link: MailedLink; onSent: (email: string) => void };

/** Asks for an address and sends the link to it. */
export function ResendForm({ link, onSent }: Props) {
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
    <form {...form.props}>
      <RefusalNotice form={form} />
      <EmailField form={form} label={text.email} autoComplete="email" />
      <Button type="submit" kind="primary" wide busy={form.busy}>
        {link.submit}
      </Button>
    </form>
  );
}
