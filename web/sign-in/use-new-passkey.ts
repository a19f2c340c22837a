import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type Passkey, passkeys } from '#contract/sign-in/passkeys.ts';
import { refetchSecondSteps } from '#web/lib/second-steps.ts';
import { useCall } from '#web/lib/use-call.ts';
import { whileBusy } from '#web/lib/while-busy.ts';
import { lateCode, loadAtInteraction } from '#web/ui/late.tsx';

const loadBrowserCode = () => import('#web/lib/passkeys.ts');
loadAtInteraction(loadBrowserCode);

export function useNewPasskey(onAdded: (passkey: Passkey, recoveryCodes: string[] | null) => void) {
  const client = useQueryClient();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const explain = ({ message }: { message: string }) => setProblem(message || undefined);
  const claims = { not_allowed: explain, passkey_exists: explain, passkey_invalid: explain };
  const begin = useCall(passkeys.begin, claims);
  const finish = useCall(passkeys.add, claims);
  const add = () =>
    whileBusy(setBusy, async () => {
      setProblem(undefined);
      const code = await lateCode(loadBrowserCode);
      const request = code && (await begin.run({}));
      if (!request) return;
      const credential = await code.makePasskey(request.options).catch((failure: unknown) => {
        if (!(failure instanceof code.PasskeyFailure)) throw failure;
        explain(failure);
      });
      const added = credential && (await finish.run({ credential }));
      if (!added) return;
      await refetchSecondSteps(client);
      onAdded(added.passkey, added.recoveryCodes);
    });
  return { add, busy, problem };
}
