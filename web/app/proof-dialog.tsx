import { useEffect, useEffectEvent, useId, useState } from 'react';
import { OTP_CHARACTERS } from '#contract/limits.ts';
import { stepUp } from '#contract/sign-in/step-up.ts';
import { codeText } from '#contract/text/code.ts';
import { stepUpText as text } from '#contract/text/step-up.ts';
import { uiText } from '#contract/text/ui.ts';
import { fill } from '#contract/text.ts';
import { call, type CallError } from '#web/lib/call.ts';
import { present } from '#web/lib/failures.ts';
import { RefusalNotice } from '#web/ui/refusal-notice.tsx';
import { ResendCode } from '#web/public-pages/resend-code.tsx';
import { useCodeProof, usePasswordProof } from '#web/public-pages/proof.ts';
import { useCall } from '#web/lib/use-call.ts';
import { Button } from '#web/ui/button.tsx';
import { CodeField } from '#web/ui/code-field.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { PasswordField } from '#web/ui/password-field.tsx';

type Props = { open: boolean; onSettled: (proven: boolean) => void };

/** Asks for the password again, or for a mailed code if there is no password. */
export const ProofDialog = ({ byCode, ...props }: Props & { byCode: boolean }) =>
  byCode ? <CodeProof {...props} /> : <PasswordProof {...props} />;

function PasswordProof({ open, onSettled }: Props) {
  const formId = useId();
  const form = usePasswordProof(() => onSettled(true));
  const cancel = () => onSettled(false);
  return (
    <Dialog
      open={open}
      onClose={cancel}
      busy={form.busy}
      size="small"
      title={text.proofTitle}
      description={text.proofLead}
      footer={<Buttons formId={formId} busy={form.busy} onCancel={cancel} />}
    >
      <form id={formId} {...form.props}>
        <RefusalNotice form={form} />
        <PasswordField
          label={text.password}
          autoComplete="current-password"
          required
          {...form.field('password')}
        />
      </form>
    </Dialog>
  );
}

function CodeProof({ open, onSettled }: Props) {
  const formId = useId();
  const [contact, setContact] = useState<string>();
  const resend = useCall(stepUp.reauthenticateByMail);
  // Without a first code there is nothing to type.
  const giveUp = useEffectEvent((failure: CallError) => {
    present(failure);
    onSettled(false);
  });
  useEffect(() => {
    call(stepUp.reauthenticateByMail, {}).then(({ contact }) => setContact(contact), giveUp);
  }, []);

  const { code, busy } = useCodeProof(() => onSettled(true));
  const cancel = () => onSettled(false);
  return (
    <Dialog
      open={open}
      onClose={cancel}
      busy={busy}
      size="small"
      title={text.proofTitle}
      description={text.proofByCode}
      footer={<Buttons formId={formId} busy={busy} onCancel={cancel} />}
    >
      {contact && (
        <p>
          {fill(codeText.sent, { count: OTP_CHARACTERS })} <strong>{contact}</strong>
        </p>
      )}
      <form
        id={formId}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          code.submit();
        }}
      >
        <CodeField {...code.props} label={fill(codeText.label, { count: OTP_CHARACTERS })} />
      </form>
      {contact && <ResendCode busy={resend.busy} send={() => resend.run({})} />}
    </Dialog>
  );
}

function Buttons({ formId, busy, onCancel }: { formId: string; busy: boolean; onCancel: () => void }) {
  return (
    <>
      <Button onClick={onCancel} disabled={busy}>
        {uiText.cancel}
      </Button>
      <Button kind="primary" type="submit" form={formId} busy={busy}>
        {text.confirm}
      </Button>
    </>
  );
}
