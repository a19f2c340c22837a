import { type FormEvent, type ReactNode, useEffect, useEffectEvent, useState } from 'react';
import { OTP_CHARACTERS } from '#contract/limits.ts';
import { PROOFS, stepUp } from '#contract/sign-in/step-up.ts';
import { codeText } from '#contract/text/code.ts';
import { stepUpText as text } from '#contract/text/step-up.ts';
import { fill } from '#contract/text.ts';
import { call, type CallError } from '#web/lib/call.ts';
import { present } from '#web/lib/failures.ts';
import { goTo } from '#web/lib/navigate.ts';
import { type Claims, useCall } from '#web/lib/use-call.ts';
import { LinkButton } from '#web/ui/link-button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { CodeProof } from './code-proof.tsx';
import type { FormParts } from './page-form.tsx';
import { PasswordProof } from './password-proof.tsx';
import { ResendCode } from './resend-code.tsx';
import { supportPath } from './support-path.ts';

export type Way = (typeof PROOFS)[number];
/** One way of proving who one is, for a dialog or a part of a page. `unsent`: a press mails the code. */
export type FrameProps = {
  way: Way | 'unsent';
  form: FormParts;
  above?: ReactNode;
  children?: ReactNode;
  below?: ReactNode;
};
type Frame = (parts: FrameProps) => ReactNode;

type Props = {
  /** Without a first way, the strongest of the person's is the first. */
  first?: Way | undefined;
  accepted?: readonly Way[];
  /** Runs if no code can be mailed. If given, a code goes out as soon as the person chooses that way. */
  onUnsent?: () => void;
  onProven: () => void;
  render: Frame;
};

export function Proof({ first, accepted = PROOFS, onUnsent, onProven, render }: Props) {
  const [ways, setWays] = useState<Way[]>([]);
  const [way, setWay] = useState(first);
  // Without the list, the way that everybody has still serves.
  const show = useEffectEvent((able: Way[]) => {
    const offered = able.filter((one) => accepted.includes(one));
    setWays(offered);
    setWay((now) => now ?? offered[0] ?? accepted.at(-1));
  });
  useEffect(() => {
    call(stepUp.proofs, {}).then(
      (answer) => show(answer.ways),
      () => show([]),
    );
  }, []);
  const others = ways.filter((one) => one !== way);
  const links = others.length > 0 && (
    <p>
      <span>{`${text.orProve} `}</span>
      {others.map((other) => (
        <LinkButton key={other} onClick={() => setWay(other)}>
          {text.proofs[other]}
        </LinkButton>
      ))}
    </p>
  );
  const withLinks: Frame = ({ below, ...parts }) =>
    render({
      ...parts,
      below: (
        <>
          {below}
          {links}
        </>
      ),
    });
  const Form = way && forms[way];
  return Form && <Form render={withLinks} onProven={onProven} onUnsent={onUnsent} />;
}

type FormProps = { render: Frame; onProven: () => void; onUnsent: (() => void) | undefined };
const claims: Claims = { account_is_disable: (failure) => goTo(supportPath(failure)) };

function Passkey({ render, onProven }: FormProps) {
  const [problem, setProblem] = useState<string>();
  const begin = useCall(stepUp.reauthenticateByPasskey);
  const { run, busy } = useCall(stepUp.reauthenticate, claims);
  const prove = async () => {
    setProblem(undefined);
    const request = await begin.run({});
    if (!request) return;
    const { askForPasskey, PasskeyFailure } = await import('#web/lib/passkeys.ts');
    try {
      const passkey = (await askForPasskey(request.options)) as never;
      if (await run({ passkey })) onProven();
    } catch (failure) {
      if (!(failure instanceof PasskeyFailure)) throw failure;
      setProblem(failure.message || undefined);
    }
  };
  return render({
    way: 'passkey',
    form: { props: { onSubmit: submitting(prove) }, busy: begin.busy || busy },
    children: problem && (
      <Notice kind="warning" announce>
        {problem}
      </Notice>
    ),
  });
}

const Password = ({ render, onProven }: FormProps) => (
  <PasswordProof
    endpoint={stepUp.reauthenticate}
    claims={claims}
    label={text.password}
    onDone={onProven}
    render={(parts) => render({ way: 'password', ...parts })}
  />
);

const App = ({ render, onProven }: FormProps) => (
  <CodeProof
    endpoint={stepUp.reauthenticate}
    toInput={(appCode) => ({ appCode })}
    onDone={onProven}
    render={(parts) => render({ way: 'app', ...parts })}
  />
);

function Mail({ render, onProven, onUnsent }: FormProps) {
  const [contact, setContact] = useState<string>();
  const { run, busy } = useCall(stepUp.reauthenticateByMail);
  const send = async () => setContact((await run({}))?.contact);
  const isSentAtOnce = onUnsent !== undefined;
  // Without a first code there is nothing to type.
  const giveUp = useEffectEvent((failure: CallError) => {
    present(failure);
    onUnsent?.();
  });
  useEffect(() => {
    if (isSentAtOnce)
      call(stepUp.reauthenticateByMail, {}).then((mailed) => setContact(mailed.contact), giveUp);
  }, [isSentAtOnce]);
  if (contact === undefined && !isSentAtOnce)
    return render({ way: 'unsent', form: { props: { onSubmit: submitting(send) }, busy } });
  return (
    <CodeProof
      endpoint={stepUp.reauthenticate}
      toInput={(otp) => ({ otp })}
      onDone={onProven}
      render={(parts) =>
        render({
          way: 'mail',
          ...parts,
          above: contact && (
            <p>
              {fill(codeText.sent, { count: OTP_CHARACTERS })} <strong>{contact}</strong>
            </p>
          ),
          below: contact && <ResendCode busy={busy} send={() => run({})} />,
        })
      }
    />
  );
}

const submitting = (act: () => Promise<void>) => (event: FormEvent) => {
  event.preventDefault();
  void act();
};

const forms = { passkey: Passkey, password: Password, app: App, mail: Mail };
