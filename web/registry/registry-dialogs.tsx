import { useState } from 'react';
import { SECRET_OVERLAP_HOURS } from '#contract/limits.ts';
import { secretClosingText } from '#contract/text/copy.ts';
import type { ownApplicationsText } from '#contract/text/own-applications.ts';
import { fill } from '#contract/text.ts';
import type { OrgId } from '#contract/wire.ts';
import { showAlert } from '#web/lib/alert-store.ts';
import { useCall } from '#web/lib/use-call.ts';
import { Confirm } from '#web/ui/confirm.tsx';
import { CopyField } from '#web/ui/copy-field.tsx';
import { Dialog, DialogButtons, DialogDone } from '#web/ui/dialog.tsx';
import { TextField } from '#web/ui/field.tsx';
import { type Entry, type Registry, useChanged } from './registry.ts';

type Props = { registry: Registry<Entry>; orgId: OrgId; entry: Entry; onClose: () => void };
export type Act = 'rotate' | 'pause' | 'resume' | 'remove';
type OnSecret = { onSecret: (entry: Entry, secret: string | null) => void };

/** Asks before an act on an entry, and runs it. */
export function ActDialog({
  act,
  registry,
  orgId,
  entry,
  onSecret,
  onClose,
}: Props & OnSecret & { act: Act }) {
  const { text } = registry;
  const name = registry.nameOf(entry);
  const named = { orgId, id: entry.id };
  const refresh = useChanged(registry, orgId);
  const rotation = useCall(registry.rotateSecret);
  const pause = useCall(registry.pause);
  const removal = useCall(registry.remove);
  const done = async (words: string, changed?: Entry) => {
    await refresh(changed);
    showAlert({ kind: 'success', text: words });
    return true;
  };
  const acts = {
    rotate: async () => {
      const answer = await rotation.run(named);
      if (!answer) return false;
      await refresh(answer.entry);
      onSecret(answer.entry, answer.secret);
      // The secret's dialog replaces this one.
      return false;
    },
    pause: async () => {
      const changed = await pause.run({ ...named, isPaused: true });
      return changed ? done(text.pausedDone, changed) : false;
    },
    resume: async () => {
      const changed = await pause.run({ ...named, isPaused: false });
      return changed ? done(text.resumed, changed) : false;
    },
    remove: async () => ((await removal.run({ ...named, title: name })) ? done(text.removed) : false),
  };
  const title = fill(text[`${act}Title`], { name });
  const effect = fill(text[`${act}Effect`], { name, hours: SECRET_OVERLAP_HOURS });
  if (act === 'remove' && 'removeLabel' in text)
    return (
      <TypedDialog
        title={title}
        effect={effect}
        name={name}
        text={text}
        busy={removal.busy}
        onConfirm={async () => (await acts.remove()) && onClose()}
        onClose={onClose}
      />
    );
  return (
    <Confirm
      onClose={onClose}
      title={title}
      act={text[`${act}Act`]}
      onConfirm={acts[act]}
      destructive={act === 'remove'}
    >
      {effect}
    </Confirm>
  );
}

type TypedProps = {
  title: string;
  effect: string;
  name: string;
  text: typeof ownApplicationsText;
  busy: boolean;
  onConfirm: () => Promise<unknown>;
  onClose: () => void;
};

/** Confirms a removal once the name is typed. */
function TypedDialog({ title, effect, name, text, busy, onConfirm, onClose }: TypedProps) {
  const [typed, setTyped] = useState('');
  const [isWrong, setWrong] = useState(false);
  const submit = () => {
    setWrong(typed.trim() !== name);
    if (typed.trim() === name) void onConfirm();
  };
  return (
    <Dialog
      onClose={onClose}
      busy={busy}
      title={title}
      description={effect}
      onSubmit={submit}
      footer={<DialogButtons act={text.removeAct} onCancel={onClose} busy={busy} kind="danger" />}
    >
      <TextField
        label={fill(text.removeLabel, { name })}
        name="application-name"
        value={typed}
        error={isWrong ? text.removeWrong : undefined}
        autoComplete="off"
        onChange={({ target }) => {
          setTyped(target.value);
          setWrong(false);
        }}
      />
    </Dialog>
  );
}

/** Shows the secret to copy, and what else sets an application up. No other page shows the secret. */
export function SecretDialog({
  registry,
  entry,
  secret,
  onClose,
}: Omit<Props, 'orgId'> & { secret: string | null }) {
  const [hasFailed, setFailed] = useState(false);
  const { text } = registry;
  const name = registry.nameOf(entry);
  const hasNone = secret === null && 'idTitle' in text;
  return (
    <Dialog
      onClose={onClose}
      title={fill(hasNone ? text.idTitle : text.secretTitle, { name })}
      description={fill(hasNone ? text.secretLess : text.secretLead, { name })}
      // Without a secret nothing is lost by closing.
      filled={secret !== null}
      unsaved={hasFailed}
      question={secretClosingText}
      footer={<DialogDone>{text.done}</DialogDone>}
    >
      {secret !== null && (
        <CopyField label={text.secret} value={secret} onCopied={(worked) => setFailed(!worked)} />
      )}
      {'clientId' in entry && 'clientId' in text && (
        <>
          <CopyField label={text.clientId} value={entry.clientId} />
          <CopyField label={text.issuer} value={location.origin} />
        </>
      )}
    </Dialog>
  );
}
