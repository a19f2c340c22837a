import type { recovery } from '#contract/sign-in/recovery.ts';
import { newPasswordText as text } from '#contract/text/new-password.ts';
import { useForm } from '#web/lib/form.ts';
import { PasswordHints } from '#web/public-pages/password-hints.tsx';
import { RefusalNotice } from '#web/ui/refusal-notice.tsx';
import { browserTimeZone } from '#web/public-pages/time-zone.ts';
import { Button } from '#web/ui/button.tsx';
import { PasswordField } from '#web/ui/password-field.tsx';

export type DeadLink = 'used' | 'expired';
type Props = {
  call: typeof recovery.createPassword | typeof recovery.resetPassword;
  digest: string;
  submit: string;
  onDead: (why: DeadLink) => void;
  onDone: () => Promise<void>;
};

/** A new password, typed twice, sent with the digest of a mailed link. */
export function NewPasswordForm({ call, digest, submit, onDead, onDone }: Props) {
  const form = useForm(call, {
    initial: { password: '', repeat: '' },
    toInput: ({ password }) => ({ password, digest, timeZone: browserTimeZone() }),
    rules: ({ password, repeat }) => (repeat === password ? {} : { repeat: text.differ }),
    beside: { same_password: 'password' },
    above: ['too_many_requests', 'unavailable'],
    claims: {
      digest_invalid: () => onDead('used'),
      digest_expired: () => onDead('expired'),
    },
    onDone,
  });
  return (
    <form {...form.props}>
      <RefusalNotice form={form} />
      <PasswordField
        label={text.password}
        {...form.field('password')}
        hint={<PasswordHints password={form.values.password} />}
        autoComplete="new-password"
        required
      />
      <PasswordField label={text.repeat} {...form.field('repeat')} autoComplete="new-password" required />
      <Button type="submit" kind="primary" wide busy={form.busy}>
        {submit}
      </Button>
    </form>
  );
}
