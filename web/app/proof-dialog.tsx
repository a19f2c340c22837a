import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useEffect, useEffectEvent, useState } from 'react';
import type { Input } from '#contract/endpoint.ts';
import { OTP_CHARACTERS } from '#contract/limits.ts';
import { PROOFS, stepUp } from '#contract/sign-in/step-up.ts';
import { codeText } from '#contract/text/code.ts';
import { stepUpText as text } from '#contract/text/step-up.ts';
import { fill } from '#contract/text.ts';
import { call, type CallError } from '#web/lib/call.ts';
import { present } from '#web/lib/failures.ts';
import { RefusalNotice } from '#web/ui/refusal-notice.tsx';
import { ResendCode } from '#web/public-pages/resend-code.tsx';
import { useCodeProof, usePasskeyProof, usePasswordProof } from '#web/public-pages/proof.ts';
import { refetchSecondSteps } from '#web/lib/second-steps.ts';
import { useCall } from '#web/lib/use-call.ts';
import { CodeField } from '#web/ui/code-field.tsx';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { LinkButton } from '#web/ui/link-button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { PasswordField } from '#web/ui/password-field.tsx';

type Proof = (typeof PROOFS)[number];
type Props = {
  open: boolean;
  onSettled: (proven: boolean) => void;
  /** Links to the person's other proofs. */
  others: ReactNode;
};

type DialogProps = Omit<Props, 'others'> & { byCode: boolean; accepted?: readonly Proof[] };
/** Asks the person to prove who they are: at first by password if they have one. */
export function ProofDialog({ byCode, accepted = PROOFS, ...props }: DialogProps) {
  const client = useQueryClient();
  const [ways, setWays] = useState<Proof[]>();
  const [proof, setProof] = useState<Proof | undefined>(byCode ? undefined : 'password');
  // Without the list, the way that everybody has still serves.
  const show = useEffectEvent((able: Proof[]) => {
    const offered = able.filter((way) => accepted.includes(way));
    setWays(offered);
    setProof((now) => now ?? offered[0] ?? accepted.at(-1));
  });
  useEffect(() => {
    call(stepUp.proofs, {}).then(
      (answer) => show(answer.ways),
      () => show([]),
    );
  }, []);
  const settle = (proven: boolean) => {
    props.onSettled(proven);
    // The proof may have used a passkey or the app.
    if (proven) void refetchSecondSteps(client);
  };
  const Proof = proof && proofs[proof];
  const others = ways?.filter((way) => way !== proof) ?? [];
  return (
    Proof && (
      <Proof
        {...props}
        onSettled={settle}
        others={
          others.length > 0 && (
            <p>
              <span>{`${text.orProve} `}</span>
              {others.map((other) => (
                <LinkButton key={other} onClick={() => setProof(other)}>
                  {text.proofs[other]}
                </LinkButton>
              ))}
            </p>
          )
        }
      />
    )
  );
}

function PasswordProof({ open, onSettled, others }: Props) {
  const form = usePasswordProof(() => onSettled(true));
  return (
    <FormDialog
      form={form}
      open={open}
      onClose={() => onSettled(false)}
      size="small"
      title={text.proofTitle}
      description={text.proofLead}
      act={text.confirm}
      below={others}
    >
      <RefusalNotice form={form} />
      <PasswordField
        label={text.password}
        autoComplete="current-password"
        required
        {...form.field('password')}
      />
    </FormDialog>
  );
}

function CodeProof(props: Props) {
  const { onSettled } = props;
  const [contact, setContact] = useState<string>();
  const resend = useCall(stepUp.reauthenticateByMail);
  // Without a first code there is nothing to type.
  const giveUp = useEffectEvent((failure: CallError) => {
    present(failure);
    onSettled(false);
  });
  useEffect(() => {
    call(stepUp.reauthenticateByMail, {}).then(({ contact }) => setContact(contact), giveUp);
  }, []);
  return (
    <TypedCode
      {...props}
      lead={text.proofByCode}
      toInput={(otp) => ({ otp })}
      above={
        contact && (
          <p>
            {fill(codeText.sent, { count: OTP_CHARACTERS })} <strong>{contact}</strong>
          </p>
        )
      }
      below={contact && <ResendCode busy={resend.busy} send={() => resend.run({})} />}
    />
  );
}

const AppProof = (props: Props) => (
  <TypedCode {...props} lead={text.proofByApp} toInput={(appCode) => ({ appCode })} />
);

type TypedCodeProps = Props & {
  lead: string;
  toInput: (code: string) => Input<typeof stepUp.reauthenticate>;
  above?: ReactNode;
  below?: ReactNode;
};

/** A code of six digits, from a mail or an app. */
function TypedCode({ open, onSettled, others, lead, toInput, above, below }: TypedCodeProps) {
  const { code, busy } = useCodeProof(() => onSettled(true), toInput);
  return (
    <FormDialog
      form={{ props: code.form, busy }}
      open={open}
      onClose={() => onSettled(false)}
      size="small"
      title={text.proofTitle}
      description={lead}
      act={text.confirm}
      above={above}
      below={
        <>
          {below}
          {others}
        </>
      }
    >
      <CodeField {...code.props} label={fill(codeText.label, { count: OTP_CHARACTERS })} />
    </FormDialog>
  );
}

function PasskeyProof({ open, onSettled, others }: Props) {
  const { prove, busy, problem } = usePasskeyProof(() => onSettled(true));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void prove();
  };
  return (
    <FormDialog
      form={{ props: { onSubmit: submit }, busy }}
      open={open}
      onClose={() => onSettled(false)}
      size="small"
      title={text.proofTitle}
      description={text.proofByPasskey}
      act={text.confirm}
      below={others}
    >
      {problem && (
        <Notice kind="warning" announce>
          {problem}
        </Notice>
      )}
    </FormDialog>
  );
}

const proofs = { passkey: PasskeyProof, password: PasswordProof, app: AppProof, mail: CodeProof };
