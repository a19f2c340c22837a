import { useQueryClient } from '@tanstack/react-query';
import { authenticator } from '#contract/sign-in/authenticator.ts';
import { authenticatorDialogText as text } from '#contract/text/authenticator-dialogs.ts';
import { showAlert } from '#web/lib/alert-store.ts';
import { refetchSecondSteps, useGone } from '#web/lib/second-steps.ts';
import { useCall } from '#web/lib/use-call.ts';
import { Confirm } from '#web/ui/confirm.tsx';

type Props = { after: HTMLElement | null; onClose: () => void };

/** Asks before the authenticator app is removed. `after` then gets the focus. */
export function RemoveAppDialog({ after, onClose }: Props) {
  const client = useQueryClient();
  const onGone = useGone(onClose);
  const { run } = useCall(authenticator.removeApp, { not_found: onGone, second_step_needed: onGone });
  return (
    <Confirm
      open
      onClose={onClose}
      title={text.removeTitle}
      act={text.removeAct}
      destructive
      after={after}
      onConfirm={async () => {
        if (!(await run({}))) return false;
        await refetchSecondSteps(client);
        showAlert({ kind: 'success', about: 'two-step', text: text.removed });
        return true;
      }}
    >
      {text.removeEffect}
    </Confirm>
  );
}
