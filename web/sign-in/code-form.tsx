import { useEffect, useState } from 'react';
import type { Output } from '#contract/endpoint.ts';
import { OTP_CHARACTERS } from '#contract/limits.ts';
import { secondStep } from '#contract/sign-in/second-step.ts';
import { codeText as text } from '#contract/text/code.ts';
import { fill } from '#contract/text.ts';
import { askedPath, goTo } from '#web/lib/navigate.ts';
import { ResendCode } from '#web/public-pages/resend-code.tsx';
import { supportPath } from '#web/public-pages/support-path.ts';
import { browserTimeZone } from '#web/public-pages/time-zone.ts';
import { showTitle } from '#web/public-pages/title.ts';
import { useCall } from '#web/lib/use-call.ts';
import { useCode } from '#web/public-pages/use-code.ts';
import { Button } from '#web/ui/button.tsx';
import { CodeField } from '#web/ui/code-field.tsx';
import { whileBusy } from '#web/lib/while-busy.ts';
import { BackButton } from './back-button.tsx';
import styles from './code-form.module.css';
import { RememberField } from './remember-field.tsx';

type Props = {
  /** The masked address that got the code. */
  contact: string;
  /** Back to address and password, with a reason if the person did not ask for it. */
  onBack: (why?: string) => void;
  onDone: (answer: Output<typeof secondStep.verifyCode>) => Promise<void>;
};

/** The second step of signing in: the mailed code. */
export function CodeForm({ contact, onBack, onDone }: Props) {
  useEffect(() => {
    const before = document.title;
    showTitle(text.title);
    return () => {
      document.title = before;
    };
  }, []);
  const [remember, setRemember] = useState(false);
  const [isLeaving, setLeaving] = useState(false);
  const onExpired = () => onBack(text.ended);
  const { run, busy } = useCall(secondStep.verifyCode, {
    otp_invalid: (failure) => code.refused(failure),
    otp_expired: onExpired,
    account_is_disable: (failure) => goTo(supportPath(failure)),
  });
  const resend = useCall(secondStep.resendCode, { otp_expired: onExpired });
  const verify = async (otp: string) => {
    // The code works once, so another press while leaving would be refused.
    if (isLeaving) return;
    const timeZone = browserTimeZone();
    const answer = await run({ contact, otp, remember, timeZone, redirectPath: askedPath() });
    if (!answer) return;
    await whileBusy(setLeaving, () => onDone(answer));
  };
  const code = useCode((otp) => void verify(otp));
  return (
    <>
      <BackButton onPress={onBack} />
      <header>
        <h1>{text.title}</h1>
        <p>
          {fill(text.sent, { count: OTP_CHARACTERS })} <strong className={styles.contact}>{contact}</strong>
        </p>
      </header>
      <form {...code.form}>
        <RememberField checked={remember} onChange={setRemember} />
        <CodeField {...code.props} label={fill(text.label, { count: OTP_CHARACTERS })} />
        <Button type="submit" kind="primary" wide busy={busy || isLeaving}>
          {text.submit}
        </Button>
      </form>
      <ResendCode busy={resend.busy} send={() => resend.run({ contact })} />
    </>
  );
}
