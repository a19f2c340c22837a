import { useState } from 'react';
import { OTP_CHARACTERS } from '#contract/limits.ts';
import { otherSteps } from '#contract/sign-in/other-steps.ts';
import { codeText } from '#contract/text/code.ts';
import { secondStepText as text } from '#contract/text/second-step.ts';
import { fill } from '#contract/text.ts';
import { askedPath, goTo } from '#web/lib/navigate.ts';
import { useCall } from '#web/lib/use-call.ts';
import { whileBusy } from '#web/lib/while-busy.ts';
import { supportPath } from '#web/public-pages/support-path.ts';
import { browserTimeZone } from '#web/public-pages/time-zone.ts';
import { useCode } from '#web/public-pages/use-code.ts';
import { Button } from '#web/ui/button.tsx';
import { CodeField } from '#web/ui/code-field.tsx';
import { RememberField } from './remember-field.tsx';
import type { StepProps } from './step-props.ts';

/** The code of the person's authenticator app. */
export function AppCodeForm({ onBack, onDone }: StepProps) {
  const [remember, setRemember] = useState(false);
  const [isLeaving, setLeaving] = useState(false);
  const { run, busy } = useCall(otherSteps.verifyAppCode, {
    otp_invalid: (failure) => code.refused(failure),
    otp_expired: () => onBack(text.ended),
    account_is_disable: (failure) => goTo(supportPath(failure)),
  });
  const verify = async (typed: string) => {
    if (isLeaving) return;
    const answer = await run({
      code: typed,
      remember,
      timeZone: browserTimeZone(),
      redirectPath: askedPath(),
    });
    if (answer) await whileBusy(setLeaving, () => onDone(answer));
  };
  const code = useCode((typed) => void verify(typed));
  return (
    <>
      <header>
        <h1>{text.app.title}</h1>
        <p>{fill(text.app.lead, { count: OTP_CHARACTERS })}</p>
      </header>
      <form {...code.form}>
        <RememberField checked={remember} onChange={setRemember} />
        <CodeField {...code.props} label={fill(codeText.label, { count: OTP_CHARACTERS })} />
        <Button type="submit" kind="primary" wide busy={busy || isLeaving}>
          {codeText.submit}
        </Button>
      </form>
    </>
  );
}
