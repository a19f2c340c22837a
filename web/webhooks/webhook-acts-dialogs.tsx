import { useState } from 'react';
import { SECRET_OVERLAP_HOURS } from '#contract/limits.ts';
import { webhooksText as text } from '#contract/text/webhooks.ts';
import { fill } from '#contract/text.ts';
import { type Webhook, webhooks } from '#contract/webhooks/calls.ts';
import type { OrgId } from '#contract/wire.ts';
import { showAlert } from '#web/lib/alert-store.ts';
import { useCall } from '#web/lib/use-call.ts';
import { Confirm } from '#web/ui/confirm.tsx';
import { secretClosingText } from '#contract/text/copy.ts';
import { CopyField } from '#web/ui/copy-field.tsx';
import { Dialog, DialogDone } from '#web/ui/dialog.tsx';
import { isOff, useWebhooksChanged } from './webhooks-query.ts';

type Props = { orgId: OrgId; webhook: Webhook; onClose: () => void };

export function RotateDialog({
  orgId,
  webhook,
  onSecret,
  onClose,
}: Props & { onSecret: (webhook: Webhook, secret: string) => void }) {
  const refresh = useWebhooksChanged(orgId);
  const { run } = useCall(webhooks.rotateSecret);
  const rotate = async () => {
    const answer = await run({ orgId, id: webhook.id });
    if (!answer) return false;
    await refresh(answer.entry);
    onSecret(answer.entry, answer.secret);
    // The secret's dialog replaces this one.
    return false;
  };
  return (
    <Confirm open onClose={onClose} title={text.rotateTitle} act={text.rotateAct} onConfirm={rotate}>
      {fill(text.rotateEffect, { url: webhook.url, hours: SECRET_OVERLAP_HOURS })}
    </Confirm>
  );
}

/** Shows the secret to copy. No other page shows it. */
export function SecretDialog({ webhook, secret, onClose }: Omit<Props, 'orgId'> & { secret: string }) {
  const [hasFailed, setFailed] = useState(false);
  return (
    <Dialog
      open
      onClose={onClose}
      title={text.secretTitle}
      description={fill(text.secretLead, webhook)}
      filled
      unsaved={hasFailed}
      question={secretClosingText}
      footer={<DialogDone>{text.done}</DialogDone>}
    >
      <CopyField label={text.secret} value={secret} onCopied={(worked) => setFailed(!worked)} />
    </Dialog>
  );
}

/** Pauses a webhook after a question, or resumes it even if it was switched off. */
export function PauseDialog({ orgId, webhook, onClose }: Props) {
  const isOn = !isOff(webhook);
  const refresh = useWebhooksChanged(orgId);
  const { run } = useCall(webhooks.pause);
  const pause = async () => {
    const changed = await run({ orgId, id: webhook.id, isPaused: isOn });
    if (!changed) return false;
    await refresh(changed);
    showAlert({ kind: 'success', text: isOn ? text.pausedDone : text.resumed });
    return true;
  };
  return (
    <Confirm
      open
      onClose={onClose}
      title={isOn ? text.pauseTitle : text.resumeTitle}
      act={isOn ? text.pauseAct : text.resumeAct}
      onConfirm={pause}
    >
      {fill(isOn ? text.pauseEffect : text.resumeEffect, webhook)}
    </Confirm>
  );
}

export function RemoveDialog({ orgId, webhook, onClose }: Props) {
  const refresh = useWebhooksChanged(orgId);
  const { run } = useCall(webhooks.remove);
  const remove = async () => {
    const answer = await run({ orgId, id: webhook.id, title: webhook.url });
    if (!answer) return false;
    await refresh();
    showAlert({ kind: 'success', text: text.removed });
    return true;
  };
  return (
    <Confirm
      open
      onClose={onClose}
      title={text.removeTitle}
      act={text.removeAct}
      onConfirm={remove}
      destructive
    >
      {fill(text.removeEffect, webhook)}
    </Confirm>
  );
}
