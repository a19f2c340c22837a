import { type ComponentProps, type ComponentType, type SubmitEvent, useEffect, useState } from 'react';
import type { Output } from '#contract/endpoint.ts';
import { plainAddress } from '#contract/split-by-bytes/field-parts.ts';
import { signIn } from '#contract/sign-in/calls.ts';
import { signInText } from '#words/sign-in.ts';
import { EmailField } from '#web/public-pages/email-field.tsx';
import { useForm } from '#web/lib/form.ts';
import { passwordSignIn, pendingEmail, typedEmail } from '#web/lib/stored-text.ts';
import { LastUsed } from '#web/public-pages/last-used.tsx';
import { askedPath, askedQuery, asideTo, goTo, useAside } from '#web/lib/navigate.ts';
import { SocialButtons } from '#web/public-pages/social-buttons.tsx';
import { supportPath } from '#web/public-pages/support-path.ts';
import { TermsLine } from '#web/public-pages/terms-line.tsx';
import { browserTimeZone } from '#web/public-pages/time-zone.ts';
import { Button } from '#web/ui/button.tsx';
import type { CompanyLine, CompanyWay } from '#web/sign-in/company-line.tsx';
import { domainIn } from '#web/sign-in/asked-company.ts';
import { PasskeyButton } from '#web/sign-in/passkey-button.tsx';
import { useSessionEnded } from '#web/sign-in/use-session-ended.ts';
import { PageForm } from '#web/public-pages/page-form.tsx';
import { whileBusy } from '#web/lib/while-busy.ts';
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
  const [company, setCompany] = useState<CompanyWay>();
  const [wantsOwnWay, setWantsOwnWay] = useState(false);
  const [isVisiting, setVisiting] = useState(false);
  const instead = wantsOwnWay || form.values.password !== '' ? undefined : company;
  const goToCompany = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (instead) void whileBusy(setVisiting, () => instead.visit(form.values.email));
  };
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
        form={instead ? { props: { ...form.props, onSubmit: goToCompany }, busy: isVisiting } : form}
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
      <CompanyOffer typed={form.values.email} isShown={instead !== undefined} onRequired={setCompany} />
      {instead ? (
        <Button wide kind="quiet" onClick={() => setWantsOwnWay(true)}>
          {instead.otherWay}
        </Button>
      ) : (
        <>
          <PasskeyButton onDone={onDone} />
          <TermsLine />
          <SocialButtons typed={form.values.email} />
        </>
      )}
    </>
  );
}

/** Its code loads with the first whole address, because few people have a company here. */
function CompanyOffer(props: ComponentProps<typeof CompanyLine>) {
  const [Line, setLine] = useState<ComponentType<typeof props>>();
  const isNeeded = domainIn(props.typed) !== undefined;
  useEffect(() => {
    if (!isNeeded && !/[?&](company|left)=/.test(askedQuery())) return;
    // Nobody asked, so a failure stays silent.
    import('#web/sign-in/company-line.tsx').then(
      ({ CompanyLine }) => setLine(() => CompanyLine),
      () => undefined,
    );
  }, [isNeeded]);
  return Line && <Line {...props} />;
}
