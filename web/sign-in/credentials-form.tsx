import type { Output } from '#contract/endpoint.ts';
import { plainAddress } from '#contract/split-by-bytes/field-parts.ts';
import { signIn } from '#contract/sign-in/calls.ts';
import { signInText } from '#words/sign-in.ts';
import { useCompanyWay } from '#web/public-pages/company-offer.tsx';
import { EmailField } from '#web/public-pages/email-field.tsx';
import { useForm } from '#web/lib/form.ts';
import { passwordSignIn, pendingEmail, typedEmail } from '#web/lib/stored-text.ts';
import { LastUsed } from '#web/public-pages/last-used.tsx';
import { askedPath, asideTo, goTo, useAside } from '#web/lib/navigate.ts';
import { SocialButtons } from '#web/public-pages/social-buttons.tsx';
import { supportPath } from '#web/public-pages/support-path.ts';
import { TermsLine } from '#web/public-pages/terms-line.tsx';
import { browserTimeZone } from '#web/public-pages/time-zone.ts';
import { PasskeyButton } from './passkey-button.tsx';
import { useSessionEnded } from './use-session-ended.ts';
import { PageForm } from '#web/public-pages/page-form.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { PasswordField } from '#web/ui/password-field.tsx';

const text = signInText.login;
const focus = (input: HTMLInputElement | null) => input?.focus();

type Props = {
  back: { why: string | undefined } | undefined;
  onDone: (answer: Output<typeof signIn.signIn>) => Promise<void>;
};

export function CredentialsForm({ back, onDone }: Props) {
  const form = useForm(signIn.signIn, {
    initial: { email: '', password: '' },
    toInput: (values) => ({ ...values, timeZone: browserTimeZone(), redirectPath: askedPath() }),
    above: ['invalid_credentials', 'company_sign_in_required', 'too_many_requests', 'unavailable'],
    claims: {
      account_not_confirmed: () => {
        pendingEmail.keep(plainAddress(form.values.email));
        goTo(asideTo('/verifyaccount'));
      },
      account_is_disable: (failure) => {
        typedEmail.keep(plainAddress(form.values.email));
        goTo(supportPath(failure));
      },
    },
    onDone: (answer) => {
      passwordSignIn.keep('yes');
      return onDone(answer);
    },
  });
  const { instead, offer } = useCompanyWay(form);
  const endedReason = useSessionEnded();
  const why = back ? back.why : endedReason;
  const forgot = (
    <a href={useAside('/forgotpassword')} onClick={() => typedEmail.keep(plainAddress(form.values.email))}>
      {text.forgot}
    </a>
  );
  return (
    <>
      <PageForm
        form={instead?.form ?? form}
        act={instead?.act ?? text.submit}
        badge={!instead && <LastUsed method="password" />}
      >
        {why && !form.refusal && (
          <Notice kind="warning" announce>
            {why}
          </Notice>
        )}
        {/* After the second step the form starts empty. */}
        <EmailField
          form={form}
          label={text.email}
          autoComplete="username webauthn"
          recalls={!back}
          ref={back && focus}
        />
        {!instead && (
          <PasswordField
            label={text.password}
            aside={forgot}
            autoComplete="current-password"
            required
            {...form.field('password')}
          />
        )}
      </PageForm>
      {offer}
      {!instead && (
        <>
          <PasskeyButton onDone={onDone} />
          <TermsLine />
          <SocialButtons typed={form.values.email} />
        </>
      )}
    </>
  );
}
