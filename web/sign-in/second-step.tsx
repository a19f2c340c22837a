import { type ReactNode, useEffect, useState } from 'react';
import type { Output } from '#contract/endpoint.ts';
import { otherSteps } from '#contract/sign-in/other-steps.ts';
import { secondStep } from '#contract/sign-in/second-step.ts';
import type { SecondStep as Way } from '#contract/sign-in/calls.ts';
import { codeText } from '#words/code.ts';
import { secondStepText as text } from '#words/second-step.ts';
import { askedPath, goTo } from '#web/lib/navigate.ts';
import { useCall } from '#web/lib/use-call.ts';
import { whileBusy } from '#web/lib/while-busy.ts';
import { CodeProof } from '#web/public-pages/code-proof.tsx';
import { Lost } from '#web/public-pages/lost.tsx';
import { PageForm, type ProofParts } from '#web/public-pages/page-form.tsx';
import { PageHead } from '#web/public-pages/page-head.tsx';
import { RecoveryProof } from '#web/public-pages/recovery-proof.tsx';
import { ResendCode } from '#web/public-pages/resend-code.tsx';
import { supportPath } from '#web/public-pages/support-path.ts';
import { browserTimeZone } from '#web/public-pages/time-zone.ts';
import { showTitle } from '#web/public-pages/title.ts';
import { Button } from '#web/ui/button.tsx';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { LinkButton } from '#web/ui/link-button.tsx';
import { signInByPasskey } from './passkey-sign-in.ts';
import styles from './second-step.module.css';

type StepProps = {
  /** The masked address for mailed codes, if they are one of the ways. */
  contact: string;
  /** Back to address and password, with a reason if the person did not ask for it. */
  onBack: (why?: string) => void;
  onDone: (answer: Output<typeof secondStep.verifyCode>) => Promise<void>;
};
type Props = StepProps & {
  ways: readonly Way[];
};

export function SecondStep({ ways, ...props }: Props) {
  const [way, setWay] = useState(ways[0] ?? 'mail');
  const [isMailed, setMailed] = useState(way === 'mail');
  const mail = useCall(secondStep.resendCode, { otp_expired: () => props.onBack(text.ended) });
  useEffect(() => {
    const before = document.title;
    showTitle(way === 'mail' ? codeText.title : text.title);
    return () => {
      document.title = before;
    };
  }, [way]);
  const choose = async (next: Way) => {
    if (next === 'mail' && !isMailed) {
      if (!(await mail.run({}))) return;
      setMailed(true);
    }
    setWay(next);
  };
  const Step = steps[way];
  const others = ways.filter((other) => other !== way);
  return (
    <>
      <button type="button" className={styles.back} onClick={() => props.onBack()}>
        <Icon d="M19 12H5M12 19l-7-7 7-7" />
        {codeText.back}
      </button>
      <Step {...props} />
      {others.length > 0 && (
        <section className={styles.others} aria-labelledby="other-ways">
          <h2 id="other-ways">{text.otherWays}</h2>
          <ul>
            {others.map((other) => (
              <li key={other}>
                <LinkButton aria-disabled={mail.busy} onClick={() => !mail.busy && void choose(other)}>
                  {text.ways[other]}
                </LinkButton>
              </li>
            ))}
          </ul>
        </section>
      )}
      <Lost />
    </>
  );
}

function useRemember() {
  const [remember, setRemember] = useState(false);
  const field = (
    <Checkbox
      label={text.remember}
      checked={remember}
      onChange={({ target }) => setRemember(target.checked)}
    />
  );
  return { remember, field };
}

const place = () => ({ timeZone: browserTimeZone(), redirectPath: askedPath() });
const focus = (element: HTMLElement | null) => element?.focus();
const submit = (remember: ReactNode) =>
  function Frame({ form, children }: ProofParts) {
    return (
      <PageForm form={form} act={codeText.submit}>
        {remember}
        {children}
      </PageForm>
    );
  };

function MailStep({ contact, onBack, onDone }: StepProps) {
  const { remember, field } = useRemember();
  const claims = { otp_expired: () => onBack(codeText.ended) };
  const resend = useCall(secondStep.resendCode, claims);
  const lead = codeText.sent({
    contact,
    to: (words) => (
      <strong key="to" className={styles.contact}>
        {words}
      </strong>
    ),
  });
  return (
    <>
      <PageHead heading={codeText.title} lead={lead} />
      <CodeProof
        endpoint={secondStep.verifyCode}
        toInput={(otp) => ({ contact, otp, remember, ...place() })}
        claims={claims}
        onDone={onDone}
        render={submit(field)}
      />
      <ResendCode busy={resend.busy} send={() => resend.run({ contact })} />
    </>
  );
}

function AppStep({ onBack, onDone }: StepProps) {
  const { remember, field } = useRemember();
  return (
    <>
      <PageHead heading={text.app.title} lead={text.app.lead} />
      <CodeProof
        endpoint={otherSteps.verifyAppCode}
        toInput={(code) => ({ code, remember, ...place() })}
        claims={{ otp_expired: () => onBack(text.ended) }}
        onDone={onDone}
        render={submit(field)}
      />
    </>
  );
}

function PasskeyStep({ onDone }: StepProps) {
  const [busy, setBusy] = useState(false);
  const press = () =>
    whileBusy(setBusy, async () => {
      const answer = await signInByPasskey({ isSecondStep: true });
      if (answer) await onDone(answer);
    });
  return (
    <>
      <PageHead heading={text.passkey.title} lead={text.passkey.lead} />
      <Button ref={focus} kind="primary" wide busy={busy} onClick={() => void press()}>
        {text.passkey.use}
      </Button>
    </>
  );
}

function RecoveryStep({ onBack, onDone }: StepProps) {
  const { remember, field } = useRemember();
  return (
    <>
      <PageHead heading={text.recovery.title} lead={text.recovery.lead} />
      <RecoveryProof
        endpoint={otherSteps.verifyRecoveryCode}
        name="code"
        toInput={(values) => ({ ...values, remember: remember ? 1 : 0, ...place() })}
        claims={{
          otp_expired: () => onBack(text.ended),
          account_is_disable: (failure) => goTo(supportPath(failure)),
        }}
        onDone={onDone}
        render={({ form, children }) => (
          <PageForm form={form} act={codeText.submit}>
            {children}
            {field}
          </PageForm>
        )}
      />
    </>
  );
}

const steps = { passkey: PasskeyStep, app: AppStep, recovery: RecoveryStep, mail: MailStep };
