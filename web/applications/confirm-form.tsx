import { useEffect, useEffectEvent, useState } from 'react';
import type { Input } from '#contract/endpoint.ts';
import { OTP_CHARACTERS } from '#contract/limits.ts';
import { type PROOFS, stepUp } from '#contract/sign-in/step-up.ts';
import { authorizeText as text } from '#contract/text/authorize.ts';
import { codeText } from '#contract/text/code.ts';
import { secondStepText } from '#contract/text/second-step.ts';
import { stepUpText } from '#contract/text/step-up.ts';
import { fill } from '#contract/text.ts';
import { call } from '#web/lib/call.ts';
import { useCall } from '#web/lib/use-call.ts';
import { useCodeProof, usePasskeyProof, usePasswordProof } from '#web/public-pages/proof.ts';
import { ResendCode } from '#web/public-pages/resend-code.tsx';
import { Button } from '#web/ui/button.tsx';
import { CodeField } from '#web/ui/code-field.tsx';
import { LinkButton } from '#web/ui/link-button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { PasswordField } from '#web/ui/password-field.tsx';
import { RefusalNotice } from '#web/ui/refusal-notice.tsx';

type Proof = (typeof PROOFS)[number];
type Props = { onProven: () => void };

type FormProps = Props & {
  first: Proof;
  /** Leaves the password out, because it is no second step. */
  isSecondStep: boolean;
};
/** Asks the person to prove again who they are, by any of their proofs. */
export function ConfirmForm({ first, isSecondStep, onProven }: FormProps) {
  const [ways, setWays] = useState<readonly Proof[]>([first]);
  const [proof, setProof] = useState(first);
  const show = useEffectEvent((others: Proof[]) => setWays(others));
  useEffect(() => {
    // If the list does not load, the first proof still works.
    call(stepUp.proofs, {}).then(
      (answer) => show(answer.ways),
      () => {},
    );
  }, []);
  const Confirm = proofs[proof];
  const others = ways.filter((way) => way !== proof && !(isSecondStep && way === 'password'));
  return (
    <>
      <Confirm onProven={onProven} />
      {others.length > 0 && (
        <p>
          <span>{`${stepUpText.orProve} `}</span>
          {others.map((other) => (
            <LinkButton key={other} onClick={() => setProof(other)}>
              {stepUpText.proofs[other]}
            </LinkButton>
          ))}
        </p>
      )}
    </>
  );
}

function PasskeyConfirm({ onProven }: Props) {
  const { prove, busy, problem } = usePasskeyProof(onProven);
  return (
    <>
      {problem && (
        <Notice kind="warning" announce>
          {problem}
        </Notice>
      )}
      <Button kind="primary" wide busy={busy} onClick={() => void prove()}>
        {secondStepText.passkey.use}
      </Button>
    </>
  );
}

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
    return <MailedCode contact={contact} busy={busy} onProven={onProven} send={() => run({})} />;
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

function MailedCode({ contact, busy, send, onProven }: CodeProps) {
  return (
    <>
      <p>
        {fill(codeText.sent, { count: OTP_CHARACTERS })} <strong>{contact}</strong>
      </p>
      <TypedCode onProven={onProven} toInput={(otp) => ({ otp })} />
      <ResendCode busy={busy} send={send} />
    </>
  );
}

const AppConfirm = ({ onProven }: Props) => (
  <>
    <p>{fill(secondStepText.app.lead, { count: OTP_CHARACTERS })}</p>
    <TypedCode onProven={onProven} toInput={(appCode) => ({ appCode })} />
  </>
);

type TypedProps = Props & { toInput: (code: string) => Input<typeof stepUp.reauthenticate> };

function TypedCode({ onProven, toInput }: TypedProps) {
  const { code, busy } = useCodeProof(onProven, toInput);
  return (
    <form {...code.form}>
      <CodeField {...code.props} label={fill(codeText.label, { count: OTP_CHARACTERS })} />
      <Button type="submit" kind="primary" wide busy={busy}>
        {text.goOn}
      </Button>
    </form>
  );
}

const proofs = { passkey: PasskeyConfirm, password: PasswordConfirm, app: AppConfirm, mail: CodeConfirm };
