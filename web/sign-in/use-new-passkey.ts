import { useState } from 'react';
import { passkeys } from '#contract/sign-in/passkeys.ts';
import { useCall } from '#web/lib/use-call.ts';

/** Makes a passkey. `problem` is the browser's reason against it. */
export function useNewPasskey(onAdded: () => void) {
  const [problem, setProblem] = useState<string>();
  const [isAsking, setAsking] = useState(false);
  const begin = useCall(passkeys.begin);
  const add = useCall(passkeys.add);
  const create = async () => {
    setProblem(undefined);
    const request = await begin.run({});
    if (!request) return;
    const { makePasskey, PasskeyFailure } = await import('#web/lib/passkeys.ts');
    setAsking(true);
    try {
      const credential = (await makePasskey(request.options)) as never;
      if (await add.run({ credential })) onAdded();
    } catch (failure) {
      if (!(failure instanceof PasskeyFailure)) throw failure;
      setProblem(failure.message || undefined);
    } finally {
      setAsking(false);
    }
  };
  return { create, problem, busy: begin.busy || isAsking };
}
