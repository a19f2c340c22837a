import { PASSWORD_MIN_CHARACTERS } from '#contract/limits.ts';
import { signIn } from '#contract/sign-in.ts';
import { fieldText } from '#contract/text/fields.ts';
import { signInText } from '#contract/text/sign-in.ts';
import { fill } from '#contract/text.ts';
import { useForm } from '#web/lib/form.ts';
import { leaveFor } from '#web/lib/navigate.ts';
import { RefusalNotice } from '#web/lib/refusal-notice.tsx';
import { browserTimeZone } from '#web/lib/time-zone.ts';
import { Button } from '#web/ui/button.tsx';
import { PasswordField } from '#web/ui/password-field.tsx';

const text = signInText.createPassword;

type Props = { digest: string; onDead: (why: 'used' | 'expired') => void };

/** Chooses the first password, typed twice; done, the person is signed in. */
export function NewPasswordForm({ digest, onDead }: Props) {
  const form = useForm(signIn.createPassword, {
    initial: { password: '', repeat: '' },
    toInput: ({ password }) => ({ password, digest, timeZone: browserTimeZone() }),
    rules: ({ password, repeat }) => (repeat === password ? {} : { repeat: fieldText.passwordsDiffer }),
    above: ['too_many_requests', 'unavailable'],
    claims: {
      digest_invalid: () => onDead('used'),
      digest_expired: () => onDead('expired'),
    },
    onDone: () => leaveFor('/', { replace: true }),
  });
  return (
    <form {...form.props}>
      <RefusalNotice form={form} />
      <PasswordField
        label={text.password}
        hint={fill(text.hint, { min: PASSWORD_MIN_CHARACTERS })}
        name="password"
        autoComplete="new-password"
        required
        value={form.values.password}
        error={form.messages['password']}
        onChange={(event) => form.set('password', event.target.value)}
      />
      <PasswordField
        label={text.repeat}
        name="repeat"
        autoComplete="new-password"
        required
        value={form.values.repeat}
        error={form.messages['repeat']}
        onChange={(event) => form.set('repeat', event.target.value)}
      />
      <Button type="submit" kind="primary" wide busy={form.busy}>
        {text.submit}
      </Button>
    </form>
  );
}
