import { useState } from 'react';
import { otherSteps } from '#contract/sign-in/other-steps.ts';
import { codeText } from '#contract/text/code.ts';
import { secondStepText as text } from '#contract/text/second-step.ts';
import { useForm } from '#web/lib/form.ts';
import { askedPath, goTo } from '#web/lib/navigate.ts';
import { supportPath } from '#web/public-pages/support-path.ts';
import { browserTimeZone } from '#web/public-pages/time-zone.ts';
import { Button } from '#web/ui/button.tsx';
import { TextField } from '#web/ui/field.tsx';
import { RememberField } from './remember-field.tsx';
import type { StepProps } from './step-props.ts';

const focus = (input: HTMLInputElement | null) => input?.focus();

/** One of the person's recovery codes. */
export function RecoveryCodeForm({ onBack, onDone }: StepProps) {
  const [remember, setRemember] = useState(false);
  const form = useForm(otherSteps.verifyRecoveryCode, {
    initial: { code: '' },
    toInput: (values) => ({
      ...values,
      remember: remember ? 1 : 0,
      timeZone: browserTimeZone(),
      redirectPath: askedPath(),
    }),
    beside: { otp_invalid: 'code' },
    claims: {
      otp_expired: () => onBack(text.ended),
      account_is_disable: (failure) => goTo(supportPath(failure)),
    },
    onDone,
  });
  return (
    <>
      <header>
        <h1>{text.recovery.title}</h1>
        <p>{text.recovery.lead}</p>
      </header>
      <form {...form.props}>
        <TextField
          ref={focus}
          label={text.recovery.label}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          required
          {...form.field('code')}
        />
        <RememberField checked={remember} onChange={setRemember} />
        <Button type="submit" kind="primary" wide busy={form.busy}>
          {codeText.submit}
        </Button>
      </form>
    </>
  );
}
