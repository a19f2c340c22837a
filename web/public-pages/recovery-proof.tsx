import type { ReactNode } from 'react';
import type { Endpoint, Output } from '#contract/endpoint.ts';
import { secondStepText as text } from '#words/second-step.ts';
import { useForm } from '#web/lib/form.ts';
import type { Claims } from '#web/lib/use-call.ts';
import { TextField } from '#web/ui/field.tsx';
import type { ProofParts } from './page-form.tsx';

type Props<E extends Endpoint, Name extends string> = {
  /** A call that takes a recovery code under this name. */
  endpoint: E;
  name: Name;
  toInput?: (values: Record<Name, string>) => object;
  claims: Claims;
  onDone: (answer: Output<E>) => void | Promise<void>;
  render: (parts: ProofParts) => ReactNode;
};
const focus = (element: HTMLElement | null) => element?.focus();

export function RecoveryProof<E extends Endpoint, Name extends string>(props: Props<E, Name>) {
  const { endpoint, name, toInput, claims, onDone, render } = props;
  const form = useForm(endpoint, {
    initial: { [name]: '' } as Record<Name, string>,
    ...(toInput && { toInput }),
    beside: { otp_invalid: name },
    above: ['too_many_requests'],
    claims,
    onDone,
  });
  return render({
    form,
    children: (
      <TextField
        ref={focus}
        label={text.recovery.label}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        required
        {...form.field(name)}
      />
    ),
  });
}
