import type { Output } from '#contract/endpoint.ts';
import { signIn } from '#contract/sign-in.ts';
import { signInText } from '#contract/text/sign-in.ts';
import type { CallError } from '#web/lib/call.ts';
import { useForm } from '#web/lib/form.ts';
import { askedPath, asideTo, goTo } from '#web/lib/navigate.ts';
import { keepPendingEmail } from '#web/lib/pending-email.ts';
import { RefusalNotice } from '#web/lib/refusal-notice.tsx';
import { browserTimeZone } from '#web/lib/time-zone.ts';
import { Button } from '#web/ui/button.tsx';
import { TextField } from '#web/ui/field.tsx';
import { PasswordField } from '#web/ui/password-field.tsx';

const text = signInText.login;

type Props = { forgotten: boolean; onDone: (answer: Output<typeof signIn.signIn>) => Promise<void> };

/** Address and password; `forgotten` shows the way for those who lost theirs. */
export function CredentialsForm({ forgotten, onDone }: Props) {
  const form = useForm(signIn.signIn, {
    initial: { email: '', password: '' },
    toInput: (values) => ({ ...values, timeZone: browserTimeZone(), redirectPath: askedPath() }),
    above: ['invalid_credentials', 'too_many_requests', 'unavailable'],
    claims: {
      account_not_confirmed: () => {
        keepPendingEmail(form.values.email.trim());
        goTo(asideTo('/verifyaccount'));
      },
      account_is_disable: (failure) => goTo(supportPath(failure)),
    },
    onDone,
  });
  return (
    <form {...form.props}>
      <RefusalNotice form={form} />
      <TextField
        label={text.email}
        type="email"
        name="email"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        required
        value={form.values.email}
        error={form.messages['email']}
        onChange={(event) => form.set('email', event.target.value)}
      />
      <PasswordField
        label={text.password}
        aside={forgotten && <a href={asideTo('/forgotpassword')}>{text.forgot}</a>}
        name="password"
        autoComplete="current-password"
        required
        value={form.values.password}
        error={form.messages['password']}
        onChange={(event) => form.set('password', event.target.value)}
      />
      <Button type="submit" kind="primary" wide busy={form.busy}>
        {text.submit}
      </Button>
    </form>
  );
}

/** The support page says why an account is closed and until when. */
function supportPath({ reason, until }: CallError) {
  const query = new URLSearchParams();
  if (reason) query.set('reason', reason);
  if (until) query.set('until', until);
  return `/support?${query.toString()}`;
}
