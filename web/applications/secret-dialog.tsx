import { Copy } from 'lucide-react';
import type { OwnApplication } from '#contract/applications/own.ts';
import { ownApplicationsText as text } from '#contract/text/own-applications.ts';
import { fill } from '#contract/text.ts';
import { showAlert } from '#web/lib/alert-store.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { TextField } from '#web/ui/field.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';

type Props = { application: OwnApplication; secret: string | null; onClose: () => void };

/** Shows the client id and the secret to copy. The secret shows here only. */
export function SecretDialog({ application, secret, onClose }: Props) {
  return (
    <Dialog
      open
      onClose={onClose}
      title={fill(secret === null ? text.idTitle : text.secretTitle, application)}
      description={secret === null ? fill(text.secretLess, application) : text.secretLead}
      // Without a secret nothing is lost by closing.
      filled={secret !== null}
      footer={
        <Button kind="primary" onClick={onClose}>
          {text.done}
        </Button>
      }
    >
      {secret !== null && <CopyField label={text.secret} value={secret} />}
      <CopyField label={text.clientId} value={application.clientId} />
      <CopyField label={text.issuer} value={location.origin} />
    </Dialog>
  );
}

/** A text to copy. */
function CopyField({ label, value }: { label: string; value: string }) {
  const copy = () =>
    navigator.clipboard.writeText(value).then(
      () => showAlert({ kind: 'success', text: text.copied }),
      () => showAlert({ kind: 'danger', text: text.copyFailed }),
    );
  return (
    <TextField
      label={label}
      value={value}
      readOnly
      onFocus={({ target }) => target.select()}
      end={<IconButton name={fill(text.copy, { label })} icon={<Copy />} onClick={() => void copy()} />}
    />
  );
}
