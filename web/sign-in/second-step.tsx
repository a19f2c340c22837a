import { useEffect, useState } from 'react';
import { secondStep } from '#contract/sign-in/second-step.ts';
import type { SecondStep as Way } from '#contract/sign-in/calls.ts';
import { secondStepText as text } from '#contract/text/second-step.ts';
import { showTitle } from '#web/public-pages/title.ts';
import { useCall } from '#web/lib/use-call.ts';
import { LinkButton } from '#web/ui/link-button.tsx';
import { AppCodeForm } from './app-code-form.tsx';
import { BackButton } from './back-button.tsx';
import { CodeForm } from './code-form.tsx';
import { PasskeyStep } from './passkey-step.tsx';
import type { StepProps } from './step-props.ts';
import { RecoveryCodeForm } from './recovery-code-form.tsx';
import styles from './second-step.module.css';

type Props = StepProps & {
  /** The masked address for mailed codes, if they are one of the ways. */
  contact: string;
  /** The person's second steps, the strongest first. */
  ways: readonly Way[];
};

const forms = { passkey: PasskeyStep, app: AppCodeForm, recovery: RecoveryCodeForm };

/** The second step of signing in, with the other ways to take it. */
export function SecondStep({ contact, ways, ...props }: Props) {
  const [way, setWay] = useState(ways[0] ?? 'mail');
  const [isMailed, setMailed] = useState(way === 'mail');
  const mail = useCall(secondStep.resendCode, { otp_expired: () => props.onBack(text.ended) });
  useEffect(() => {
    const before = document.title;
    showTitle(text.title);
    return () => {
      document.title = before;
    };
  }, []);
  const choose = async (next: Way) => {
    if (next === 'mail' && !isMailed) {
      if (!(await mail.run({}))) return;
      setMailed(true);
    }
    setWay(next);
  };
  const Form = way === 'mail' ? undefined : forms[way];
  const others = ways.filter((other) => other !== way);
  return (
    <>
      {Form ? (
        <>
          <BackButton onPress={props.onBack} />
          <Form {...props} />
        </>
      ) : (
        <CodeForm contact={contact} {...props} />
      )}
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
    </>
  );
}
