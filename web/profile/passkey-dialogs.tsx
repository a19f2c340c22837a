import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type Passkey, passkeys } from '#contract/sign-in/passkeys.ts';
import { passkeyDialogText as text } from '#words/passkey-dialog.ts';
import { passkeyText } from '#words/passkey.ts';
import { uiText } from '#words/ui.ts';
import { showAlert } from '#web/lib/alert-store.ts';
import { useForm } from '#web/lib/form.ts';
import { signalLeft } from '#web/lib/passkeys.ts';
import { refetchSecondSteps, useStepGone } from '#web/lib/second-steps.ts';
import { useCall } from '#web/lib/use-call.ts';
import { Confirm } from '#web/ui/confirm.tsx';
import { TextField } from '#web/ui/field.tsx';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { nextAct } from '#web/ui/next-act.ts';

type Props = { passkey: Passkey; onClose: () => void };

export function NamePasskeyDialog({ passkey, isNew, onClose }: Props & { isNew: boolean }) {
  const client = useQueryClient();
  const finish = async (message: string) => {
    await refetchSecondSteps(client);
    showAlert({ kind: 'success', text: message });
    onClose();
  };
  const message = isNew ? text.added : text.renamed;
  const form = useForm(passkeys.rename, {
    initial: { name: passkey.name ?? passkeyText.unnamed },
    toInput: ({ name }) => ({ id: passkey.id, name }),
    claims: { passkey_not_found: useStepGone(onClose), no_changes: () => void finish(message) },
    onDone: () => finish(message),
  });
  return (
    <FormDialog
      form={form}
      onClose={onClose}
      size="small"
      title={isNew ? text.addedTitle : text.renameTitle}
      description={isNew ? text.addedLead : text.renameLead}
      act={text.save}
      cancel={isNew ? null : uiText.cancel}
    >
      <TextField
        label={text.name}
        autoComplete="off"
        required
        onFocus={({ target }) => target.select()}
        {...form.field('name')}
      />
    </FormDialog>
  );
}

export function RemovePasskeyDialog({ passkey, onClose }: Props) {
  const client = useQueryClient();
  const onGone = useStepGone(onClose);
  const [next] = useState(
    () =>
      nextAct() ??
      // The button that adds a passkey.
      document.activeElement?.closest('ul')?.closest('li')?.querySelector<HTMLElement>('button'),
  );
  const { run } = useCall(passkeys.remove, {
    passkey_not_found: onGone,
    last_way_in: onGone,
    second_step_needed: onGone,
  });
  return (
    <Confirm
      onClose={onClose}
      title={text.removeTitle({ name: passkey.name ?? passkeyText.unnamed })}
      act={text.removeAct}
      destructive
      after={next ?? null}
      onConfirm={async () => {
        const left = await run({ id: passkey.id });
        if (!left) return false;
        void signalLeft(left.userHandle, left.ids);
        await refetchSecondSteps(client);
        showAlert({ kind: 'success', text: text.removed });
        return true;
      }}
    >
      {text.removeEffect}
    </Confirm>
  );
}
