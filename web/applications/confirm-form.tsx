import { useState } from 'react';
import { OTP_CHARACTERS } from '#contract/limits.ts';
import { stepUp } from '#contract/sign-in/step-up.ts';
import { authorizeText as text } from '#contract/text/authorize.ts';
import { codeText } from '#contract/text/code.ts';
import { stepUpText } from '#contract/text/step-up.ts';
import { fill } from '#contract/text.ts';
import { useCall } from '#web/lib/use-call.ts';
import { useCodeProof, usePasswordProof } from '#web/public-pages/proof.ts';
import { ResendCode } from '#web/public-pages/resend-code.tsx';
import { Button } from '#web/ui/button.tsx';
import { CodeField } from '#web/ui/code-field.tsx';
import { PasswordField } from '#web/ui/password-field.tsx';
import { RefusalNotice } from '#web/ui/refusal-notice.tsx';

type Props = { onProven: () => void };

/** Asks for the password again, or for a mailed code if there is no password. */
export const ConfirmForm = ({ byCode, ...props }: Props & { byCode: boolean }) =>
  byCode ? <CodeConfirm {...props} /> : <PasswordConfirm {...props} />;

function PasswordConfirm({ onProven }: Props) {
  const form = usePasswordProof(onProven);
  return (
    <form {...form.props}>
      <RefusalNotice form={form} />
      <PasswordField
        label={stepUpText.password}
        autoComplete="current-password"
        required
        {...form.field('password')}
      />
      <Button type="submit" kind="primary" wide busy={form.busy}>
        {text.goOn}
      </Button>
    </form>
  );
}

/** Mails the code only after a press, because any site can lead a person to this page. */
function CodeConfirm({ onProven }: Props) {
  const [contact, setContact] = useState<string>();
  const { run, busy } = useCall(stepUp.reauthenticateByMail);
  if (contact !== undefined)
    return <TypedCode contact={contact} busy={busy} onProven={onProven} send={() => run({})} />;
  const mail = async () => setContact((await run({}))?.contact);
  return (
    <>
      <p>{text.confirmByCode}</p>
      <Button kind="primary" wide busy={busy} onClick={() => void mail()}>
        {text.mailCode}
      </Button>
    </>
  );
}

type CodeProps = Props & {
  contact: string;
  busy: boolean;
  send: () => Promise<{ waitSeconds: number } | undefined>;
};

function TypedCode({ contact, busy, send, onProven }: CodeProps) {
  const { code, busy: isChecking } = useCodeProof(onProven);
  return (
    <>
      <p>
        {fill(codeText.sent, { count: OTP_CHARACTERS })} <strong>{contact}</strong>
      </p>
      <form {...code.form}>
        <CodeField {...code.props} label={fill(codeText.label, { count: OTP_CHARACTERS })} />
        <Button type="submit" kind="primary" wide busy={isChecking}>
          {text.goOn}
        </Button>
      </form>
      <ResendCode busy={busy} send={send} />
    </>
  );
}
