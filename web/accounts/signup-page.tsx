import { accounts } from '#contract/accounts/calls.ts';
import { plainAddress } from '#contract/split-by-bytes/field-parts.ts';
import { accountsText } from '#words/accounts.ts';
import { useCompanyWay } from '#web/public-pages/company-offer.tsx';
import { EmailField } from '#web/public-pages/email-field.tsx';
import { useForm } from '#web/lib/form.ts';
import { asideTo, leaveFor, onwardTo, useAside } from '#web/lib/navigate.ts';
import { pendingEmail, typedEmail } from '#web/lib/stored-text.ts';
import { PasswordHints } from '#web/public-pages/password-hints.tsx';
import type { PublicPage } from '#web/public-pages/public-page.ts';
import { useEntranceCheck } from '#web/public-pages/session-check.ts';
import { SocialButtons } from '#web/public-pages/social-buttons.tsx';
import { shownTerms, TermsLine } from '#web/public-pages/terms-line.tsx';
import { browserTimeZone } from '#web/public-pages/time-zone.ts';
import { PageForm } from '#web/public-pages/page-form.tsx';
import { PageHead } from '#web/public-pages/page-head.tsx';
import { PasswordField } from '#web/ui/password-field.tsx';

const text = accountsText.signUp;

function SignUpPage() {
  useEntranceCheck();
  return (
    <>
      <PageHead heading={text.title} lead={text.lead} />
      <SignUpForm />
      <p>
        {text.haveAccount} <a href={useAside('/login')}>{text.signIn}</a>
      </p>
    </>
  );
}

function SignUpForm() {
  const form = useForm(accounts.signUp, {
    initial: { email: '', password: '' },
    toInput: (values) => ({ ...values, timeZone: browserTimeZone(), ...shownTerms }),
    beside: { email_id_exist: 'email' },
    above: ['email_id_exist', 'too_many_requests', 'unavailable'],
    onDone: ({ id }, { email }) => {
      if (id !== undefined) return leaveFor(onwardTo('/'));
      // Without an id there is no session. The rest happens by mail, whether or not the address was taken.
      pendingEmail.keep(plainAddress(email));
      return leaveFor(asideTo('/verifyaccount'));
    },
  });
  const { instead, offer } = useCompanyWay(form);
  const hasAccount = form.refusal?.code === 'email_id_exist';
  return (
    <>
      <PageForm
        form={instead?.form ?? form}
        act={instead?.act ?? text.submit}
        wayOut={
          hasAccount && (
            <a href={asideTo('/login')} onClick={() => typedEmail.keep(plainAddress(form.values.email))}>
              {text.signInInstead}
            </a>
          )
        }
      >
        {hasAccount && <p>{text.ifInvited}</p>}
        <EmailField recalls form={form} label={text.email} autoComplete="email" />
        {!instead && (
          <PasswordField
            label={text.password}
            hint={<PasswordHints password={form.values.password} email={form.values.email} />}
            autoComplete="new-password"
            required
            {...form.field('password')}
          />
        )}
        <TermsLine />
      </PageForm>
      {offer}
      {!instead && <SocialButtons typed={form.values.email} />}
    </>
  );
}

export const page: PublicPage = { title: text.title, View: SignUpPage };
