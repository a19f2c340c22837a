import type { ReactNode } from 'react';
import type { Endpoint, Output } from '#contract/endpoint.ts';
import { useForm } from '#web/lib/form.ts';
import type { Claims } from '#web/lib/use-call.ts';
import { PasswordField } from '#web/ui/password-field.tsx';
import type { ProofParts } from './page-form.tsx';

type Props<E extends Endpoint> = {
  /** A call that takes `password`. */
  endpoint: E;
  input?: object;
  claims: Claims;
  label: string;
  onDone: (answer: Output<E>) => void | Promise<void>;
  render: (parts: ProofParts) => ReactNode;
};

export function PasswordProof<E extends Endpoint>(props: Props<E>) {
  const { endpoint, input, claims, label, onDone, render } = props;
  const form = useForm(endpoint, {
    initial: { password: '' },
    toInput: (values) => ({ ...values, ...input }),
    beside: { invalid_credentials: 'password' },
    above: ['too_many_requests', 'unavailable'],
    claims,
    onDone,
  });
  return render({
    form,
    children: (
      <PasswordField label={label} autoComplete="current-password" required {...form.field('password')} />
    ),
  });
}
