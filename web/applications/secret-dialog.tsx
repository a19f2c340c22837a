import type { OwnApplication } from '#contract/applications/own.ts';
import { ownApplicationsText as text } from '#contract/text/own-applications.ts';
import { fill } from '#contract/text.ts';
import { Button } from '#web/ui/button.tsx';
import { CopyField } from '#web/ui/copy-field.tsx';
import { Dialog } from '#web/ui/dialog.tsx';

type Props = { application: OwnApplication; secret: string | null; onClose: () => void };

/** Shows the client id and the secret to copy. No other page shows the secret. */
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
