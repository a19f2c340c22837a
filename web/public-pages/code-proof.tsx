import { type ReactNode, useState } from 'react';
import type { Endpoint, Input, Output } from '#contract/endpoint.ts';
import { codeText } from '#words/code.ts';
import { goTo } from '#web/lib/navigate.ts';
import { type Claims, useCall } from '#web/lib/use-call.ts';
import { whileBusy } from '#web/lib/while-busy.ts';
import { CodeField } from '#web/ui/code-field.tsx';
import type { ProofParts } from './page-form.tsx';
import { supportPath } from './support-path.ts';
import { useCode } from './use-code.ts';

type Props<E extends Endpoint> = {
  /** A call that takes a code of six digits, from a mail or an app. */
  endpoint: E;
  toInput: (code: string) => Input<E>;
  claims?: Claims;
  onDone: (answer: Output<E>) => void | Promise<void>;
  render: (parts: ProofParts) => ReactNode;
};

export function CodeProof<E extends Endpoint>({ endpoint, toInput, claims, onDone, render }: Props<E>) {
  const [isLeaving, setLeaving] = useState(false);
  const { run, busy } = useCall(endpoint, {
    account_is_disable: (failure) => goTo(supportPath(failure)),
    otp_invalid: (failure) => code.refused(failure),
    otp_expired: (failure) => code.refused(failure),
    ...claims,
  });
  const send = async (typed: string) => {
    // The code works once, so another press while leaving would be refused.
    if (isLeaving) return;
    const answer = await run(toInput(typed));
    if (answer !== undefined) await whileBusy(setLeaving, async () => onDone(answer));
  };
  const code = useCode((typed) => void send(typed));
  return render({
    form: { props: code.form, busy: busy || isLeaving },
    children: <CodeField {...code.props} label={codeText.label} />,
  });
}
