import { useState } from 'react';
import type { Input } from '#contract/endpoint.ts';
import { stepUp } from '#contract/sign-in/step-up.ts';
import { useForm } from '#web/lib/form.ts';
import { goTo } from '#web/lib/navigate.ts';
import { type Claims, useCall } from '#web/lib/use-call.ts';
import { supportPath } from '#web/public-pages/support-path.ts';
import { useCode } from '#web/public-pages/use-code.ts';

// The ways in which a signed-in person proves again who they are.

const proofClaims: Claims = { account_is_disable: (failure) => goTo(supportPath(failure)) };

export const usePasswordProof = (onProven: () => void) =>
  useForm(stepUp.reauthenticate, {
    initial: { password: '' },
    beside: { invalid_credentials: 'password' },
    above: ['too_many_requests', 'unavailable'],
    claims: proofClaims,
    onDone: onProven,
  });

type Proof = Input<typeof stepUp.reauthenticate>;
const mailed = (otp: string): Proof => ({ otp });

/** Proves by a mailed code, or by another code of six digits. */
export function useCodeProof(onProven: () => void, toInput = mailed) {
  const { run, busy } = useCall(stepUp.reauthenticate, {
    ...proofClaims,
    otp_invalid: (failure) => code.refused(failure),
    otp_expired: (failure) => code.refused(failure),
  });
  const code = useCode((otp) => void run(toInput(otp)).then((proven) => proven && onProven()));
  return { code, busy };
}

export function usePasskeyProof(onProven: () => void) {
  const [problem, setProblem] = useState<string>();
  const begin = useCall(stepUp.reauthenticateByPasskey);
  const { run, busy } = useCall(stepUp.reauthenticate, proofClaims);
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
  return { prove, busy: begin.busy || busy, problem };
}
