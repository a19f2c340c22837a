import { useQueryClient } from '@tanstack/react-query';
import type { User } from '#contract/profile/user.ts';
import { authenticator } from '#contract/sign-in/authenticator.ts';
import { recoveryCodes } from '#contract/sign-in/recovery-codes.ts';
import { stepUp } from '#contract/sign-in/step-up.ts';
import { authenticatorDialogText } from '#words/authenticator-dialog.ts';
import { waysInText as text } from '#words/ways-in.ts';
import { showAlert } from '#web/lib/alert-store.ts';
import type { CallError } from '#web/lib/call.ts';
import { refetchSecondSteps } from '#web/lib/second-steps.ts';
import { useCall } from '#web/lib/use-call.ts';

type Options = {
  onUserChanged: (changed: Partial<User>) => void;
  /** Another window or a rule came first. */
  onGone: (failure: CallError) => void;
  onCodes: (codes: string[]) => void;
};

export function useWayActs({ onUserChanged, onGone, onCodes }: Options) {
  const client = useQueryClient();
  const removal = useCall(authenticator.removeApp, { not_found: onGone, second_step_needed: onGone });
  const renewal = useCall(recoveryCodes.renew, { not_allowed: onGone });
  const switching = useCall(stepUp.setTwoStep, {
    // The code would go to an unconfirmed address.
    account_not_confirmed: ({ message }) => showAlert({ kind: 'warning', text: message }),
    second_step_needed: onGone,
  });
  const say = (words: string) => showAlert({ kind: 'success', about: 'two-step', text: words });
  const makeCodes = async () => {
    const made = await renewal.run({});
    if (!made) return;
    onCodes(made.codes);
    await refetchSecondSteps(client);
  };
  return {
    makeCodes,
    renewing: renewal.busy,
    turn: async (on: boolean, withCodes: boolean) => {
      const state = await switching.run({ mfaEnabled: on });
      if (!state) return;
      onUserChanged(state);
      say(state.mfaEnabled ? text.turnedOn : text.turnedOff);
      if (withCodes) await makeCodes();
      else await refetchSecondSteps(client);
    },
    switching: switching.busy,
    removeApp: async () => {
      if (!(await removal.run({}))) return;
      await refetchSecondSteps(client);
      say(authenticatorDialogText.removed);
    },
    removing: removal.busy,
  };
}
