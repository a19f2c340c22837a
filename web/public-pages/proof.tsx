// Lets people prove who they are, in a dialog or on a page, in each way that they have.
import {
  type ComponentType,
  type FormEvent,
  type ReactNode,
  useEffect,
  useEffectEvent,
  useState,
} from 'react';
import type { Output } from '#contract/endpoint.ts';
import { type PROOFS, stepUp } from '#contract/sign-in/step-up.ts';
import { codeText } from '#words/code.ts';
import { stepUpText as text } from '#words/step-up.ts';
import { call, type CallError } from '#web/lib/call.ts';
import { present } from '#web/lib/failures.ts';
import { goTo } from '#web/lib/navigate.ts';
import { type Claims, useCall } from '#web/lib/use-call.ts';
import { Notice } from '#web/ui/notice.tsx';
import { CodeProof } from './code-proof.tsx';
import { Lost } from './lost.tsx';
import type { FormParts } from '#web/ui/refusal-notice.tsx';
import { OtherWays } from './other-ways.tsx';
import { PasswordProof } from './password-proof.tsx';
import { RecoveryProof } from './recovery-proof.tsx';
import { ResendCode } from './resend-code.tsx';
import { supportPath } from './support-path.ts';

export type Way = (typeof PROOFS)[number];
/** One way of proving who one is, for a dialog or a part of a page. `unsent`: a press mails the code. */
export type FrameProps = {
  way: Way | 'unsent' | 'company';
  form: FormParts;
  act?: string;
  above?: ReactNode;
  children?: ReactNode;
  below?: ReactNode;
};
type Frame = (parts: FrameProps) => ReactNode;
/** Proves by a visit to the person's company, which leaves this page. */
export type ByCompany = {
  Form: ComponentType<FormProps & { company: string }>;
  label: (words: { company: string }) => string;
};

type Props = {
  /** Without a first way, the first of the person's ways. */
  first?: Way | undefined;
  /** Only ways that meet this rule for second steps. */
  step?: 'any' | 'strong' | undefined;
  byCompany?: ByCompany | undefined;
  /** For a dialog: each way starts as it shows, and this runs if it can't. A linked page waits for a press. */
  onFailed?: () => void;
  onProven: () => void;
  render: Frame;
};

export function Proof({ first, step, byCompany, onFailed, onProven, render }: Props) {
  const [ways, setWays] = useState<(Way | 'company')[]>([]);
  const [company, setCompany] = useState('');
  const [helper, setHelper] = useState<string>();
  const [way, setWay] = useState<Way | 'company' | undefined>(first);
  const [isAsked, setAsked] = useState(onFailed !== undefined);
  /** Only after a visit: the account's proof may take two halves. */
  const [half, setHalf] = useState<'first' | 'second'>();
  const [givenHalves, setGivenHalves] = useState(0);
  const show = useEffectEvent((answer: Output<typeof stepUp.proofs>, given: number) => {
    const { missing, company: vouching } = answer;
    if (given > 0 && !missing) return onProven();
    setHalf(missing?.half);
    const own = missing?.ways ?? answer.ways;
    const offered = byCompany && vouching !== undefined ? (['company', ...own] as const) : own;
    setWays([...offered]);
    setCompany(vouching ?? '');
    setHelper(answer.helper);
    // Without any way, the mailed code is refused with a reason.
    setWay((now) => (given === 0 && now) || (offered[0] ?? 'mail'));
  });
  const goOn = () => (half ? setGivenHalves(givenHalves + 1) : onProven());
  const fail = useEffectEvent((failure: CallError) => {
    if (!onFailed) return;
    present(failure);
    onFailed();
  });
  useEffect(() => {
    call(stepUp.proofs, { step }).then((answer) => show(answer, givenHalves), fail);
  }, [step, givenHalves]);
  const others = ways
    .filter((one) => one !== way)
    .map((other) => ({
      name: other === 'company' ? byCompany?.label({ company }) : text.proofs[other],
      choose: () => {
        setAsked(true);
        setWay(other);
      },
    }));
  const withLinks: Frame = ({ above, below, ...parts }) =>
    render({
      ...parts,
      above: (
        <>
          {half === 'second' && <p>{text.secondHalf}</p>}
          <>{above}</>
        </>
      ),
      below: (
        <>
          <>{below}</>
          <OtherWays ways={others} />
          {step && ways.length > 0 && <Lost helper={helper} />}
        </>
      ),
    });
  const parts = { render: withLinks, isAsked, onProven: goOn, onFailed };
  if (way === 'company') return byCompany && <byCompany.Form company={company} {...parts} />;
  const Form = way && forms[way];
  return Form && <Form key={givenHalves} {...parts} />;
}

export type FormProps = {
  render: Frame;
  isAsked: boolean;
  onProven: () => void;
  onFailed: (() => void) | undefined;
};
function useStart(isAsked: boolean, act: () => Promise<void>) {
  const start = useEffectEvent(() => void act());
  useEffect(() => {
    if (isAsked) start();
  }, [isAsked]);
}

const claims: Claims = { account_is_disable: (failure) => goTo(supportPath(failure)) };
const loadPasskeys = () => import('#web/lib/passkeys.ts');

function Passkey({ render, isAsked, onProven }: FormProps) {
  const [problem, setProblem] = useState<string>();
  const begin = useCall(stepUp.reauthenticateByPasskey);
  const { run, busy } = useCall(stepUp.reauthenticate, claims);
  const prove = async () => {
    setProblem(undefined);
    const request = await begin.run({});
    if (!request) return;
    const { askForPasskey, PasskeyFailure } = await loadPasskeys();
    try {
      const passkey = (await askForPasskey(request.options)) as never;
      if (await run({ passkey })) onProven();
    } catch (failure) {
      if (!(failure instanceof PasskeyFailure)) throw failure;
      setProblem(failure.message || undefined);
    }
  };
  useStart(isAsked, prove);
  // The browser must not go on asking once another way or none is open.
  useEffect(() => () => void loadPasskeys().then(({ endRequest }) => endRequest()), []);
  return render({
    way: 'passkey',
    act: text.proofs.passkey,
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

const Recovery = ({ render, onProven }: FormProps) => (
  <RecoveryProof
    endpoint={stepUp.reauthenticate}
    name="recoveryCode"
    claims={claims}
    onDone={onProven}
    render={(parts) => render({ way: 'recovery', ...parts })}
  />
);

/** The last code of this page. The next one is refused for a while, so another dialog takes this one. */
let lastMail: { contact: string; nextAt: number } | undefined;

function Mail({ render, isAsked, onProven, onFailed }: FormProps) {
  const [contact, setContact] = useState<string>();
  const [isSent, setSent] = useState(isAsked);
  const { run, busy } = useCall(stepUp.reauthenticateByMail);
  const mail = async () => {
    const answer = await run({});
    if (answer) lastMail = { ...answer, nextAt: Date.now() + answer.waitSeconds * 1000 };
    return answer;
  };
  const send = async () => {
    const mailed = lastMail && Date.now() < lastMail.nextAt ? lastMail : await mail();
    setContact(mailed?.contact);
    setSent(mailed !== undefined);
    // Without a first code there is nothing to type.
    if (!mailed) onFailed?.();
  };
  useStart(isAsked, send);
  if (!isSent) return render({ way: 'unsent', form: { props: { onSubmit: submitting(send) }, busy } });
  return (
    <CodeProof
      endpoint={stepUp.reauthenticate}
      toInput={(otp) => ({ otp })}
      onDone={() => {
        lastMail = undefined;
        onProven();
      }}
      render={(parts) =>
        render({
          way: 'mail',
          ...parts,
          above: contact && (
            <p>{codeText.sent({ contact, to: (words) => <strong key="to">{words}</strong> })}</p>
          ),
          below: contact && <ResendCode busy={busy} send={mail} />,
        })
      }
    />
  );
}

export const submitting = (act: () => Promise<void>) => (event: FormEvent) => {
  event.preventDefault();
  void act();
};

const forms = { passkey: Passkey, password: Password, app: App, mail: Mail, recovery: Recovery };
