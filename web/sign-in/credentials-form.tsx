import type { Output } from '#contract/endpoint.ts';
import { signIn } from '#contract/sign-in.ts';
import { signInText } from '#contract/text/sign-in.ts';
import { useForm } from '#web/lib/form.ts';
import { pendingEmail, typedEmail } from '#web/lib/kept.ts';
import { askedPath, asideTo, goTo, useAside } from '#web/lib/navigate.ts';
import { RefusalNotice } from '#web/lib/refusal-notice.tsx';
import { supportPath } from '#web/lib/support-path.ts';
import { browserTimeZone } from '#web/lib/time-zone.ts';
import { Button } from '#web/ui/button.tsx';
import { TextField } from '#web/ui/field.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { PasswordField } from '#web/ui/password-field.tsx';

const text = signInText.login;
const focus = (input: HTMLInputElement | null) => input?.focus();

type Props = {
  /** Set when the person comes back from the second step, with why if they did not ask to. */
  back: { why: string | undefined } | undefined;
  onDone: (answer: Output<typeof signIn.signIn>) => Promise<void>;
};

/** Address and password, the first step of signing in. */
export function CredentialsForm({ back, onDone }: Props) {
  const form = useForm(signIn.signIn, {
    initial: { email: '', password: '' },
    toInput: (values) => ({ ...values, timeZone: browserTimeZone(), redirectPath: askedPath() }),
    above: ['invalid_credentials', 'too_many_requests', 'unavailable'],
    claims: {
      account_not_confirmed: () => {
        pendingEmail.keep(form.values.email.trim());
        goTo(asideTo('/verifyaccount'));
      },
      account_is_disable: (failure) => goTo(supportPath(failure)),
    },
    onDone,
  });
  const forgot = (
    <a href={useAside('/forgotpassword')} onClick={() => typedEmail.keep(form.values.email.trim())}>
      {text.forgot}
    </a>
  );
  return (
    <form {...form.props}>
      <RefusalNotice form={form} />
      {back?.why && !form.refusal && (
        <Notice kind="warning" announce>
          {back.why}
        </Notice>
      )}
      <TextField
        ref={back && focus}
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
        aside={forgot}
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
