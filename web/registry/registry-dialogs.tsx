import { useState } from 'react';
import { fillText } from '#contract/in-words.ts';
import { secretClosingText } from '#words/secret-closing.ts';
import type { ownApplicationsText } from '#words/own-applications.ts';
import type { OrgId } from '#contract/wire.ts';
import { showAlert } from '#web/lib/alert-store.ts';
import { useCall } from '#web/lib/use-call.ts';
import { Confirm } from '#web/ui/confirm.tsx';
import { CopyField } from '#web/ui/copy-field.tsx';
import { Dialog, DialogDone } from '#web/ui/dialog.tsx';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { TextField } from '#web/ui/field.tsx';
import type { Act } from './acts.tsx';
import { type Entry, type Registry, useChanged } from './registry.ts';

type Props = { registry: Registry<Entry>; orgId: OrgId; entry: Entry; onClose: () => void };
type ActProps = Props & {
  act: Act;
  onSecret: (secret: string | null) => void;
  onRemoved: () => Promise<unknown>;
};

export function EntryActDialog({ act, registry, orgId, entry, onSecret, onRemoved, onClose }: ActProps) {
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
      onSecret(answer.secret);
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
    remove: async () => {
      if (!(await removal.run({ ...named, title: name }))) return false;
      await onRemoved();
      return done(text.removed);
    },
  };
  const title = fillText(text[`${act}Title`], { name });
  const effect = fillText(text[`${act}Effect`], { name });
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

function TypedDialog({ title, effect, name, text, busy, onConfirm, onClose }: TypedProps) {
  const [typed, setTyped] = useState('');
  const [isWrong, setWrong] = useState(false);
  const submit = () => {
    setWrong(typed.trim() !== name);
    if (typed.trim() === name) void onConfirm();
  };
  return (
    <FormDialog
      onClose={onClose}
      form={{ props: { onSubmit: submit }, busy }}
      title={title}
      description={effect}
      act={text.removeAct}
      kind="danger"
    >
      <TextField
        label={text.removeLabel({ name })}
        name="application-name"
        value={typed}
        error={isWrong ? text.removeWrong : undefined}
        autoComplete="off"
        onChange={({ target }) => {
          setTyped(target.value);
          setWrong(false);
        }}
      />
    </FormDialog>
  );
}

type SecretProps = Omit<Props, 'orgId'> & { secret: string };

export function SecretDialog({ registry, entry, secret, onClose }: SecretProps) {
  const { text } = registry;
  const [isCopied, setCopied] = useState(false);
  const name = registry.nameOf(entry);
  return (
    <Dialog
      onClose={onClose}
      title={fillText(text.secretTitle, { name })}
      description={fillText(text.secretLead, { name })}
      unsaved={!isCopied}
      question={secretClosingText}
      footer={<DialogDone>{text.done}</DialogDone>}
    >
      <CopyField label={text.secret} value={secret} onCopied={setCopied} />
    </Dialog>
  );
}
