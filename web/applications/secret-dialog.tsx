import { useState } from 'react';
import type { OwnApplication } from '#contract/applications/own.ts';
import { ownApplicationsText as text } from '#contract/text/own-applications.ts';
import { secretClosingText } from '#contract/text/copy.ts';
import { fill } from '#contract/text.ts';
import { CopyField } from '#web/ui/copy-field.tsx';
import { Dialog, DialogDone } from '#web/ui/dialog.tsx';

type Props = { application: OwnApplication; secret: string | null; onClose: () => void };

/** Shows the client id and the secret to copy. No other page shows the secret. */
export function SecretDialog({ application, secret, onClose }: Props) {
  const [hasFailed, setFailed] = useState(false);
  return (
    <Dialog
      open
      onClose={onClose}
      title={fill(secret === null ? text.idTitle : text.secretTitle, application)}
      description={secret === null ? fill(text.secretLess, application) : text.secretLead}
      // Without a secret nothing is lost by closing.
      filled={secret !== null}
      unsaved={hasFailed}
      question={secretClosingText}
      footer={<DialogDone>{text.done}</DialogDone>}
    >
      {secret !== null && (
        <CopyField label={text.secret} value={secret} onCopied={(worked) => setFailed(!worked)} />
      )}
      <CopyField label={text.clientId} value={application.clientId} />
      <CopyField label={text.issuer} value={location.origin} />
    </Dialog>
  );
}
