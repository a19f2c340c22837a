import { useQueryClient } from '@tanstack/react-query';
import { Copy } from 'lucide-react';
import type { Output } from '#contract/endpoint.ts';
import { OTP_CHARACTERS } from '#contract/limits.ts';
import { authenticator } from '#contract/sign-in/authenticator.ts';
import { authenticatorDialogText as text } from '#contract/text/authenticator-dialogs.ts';
import { copyText } from '#contract/text/copy.ts';
import { codeText } from '#contract/text/code.ts';
import { fill } from '#contract/text.ts';
import { showAlert } from '#web/lib/alert-store.ts';
import { copy } from '#web/lib/copy.ts';
import { refetchSecondSteps } from '#web/lib/second-steps.ts';
import { useCall } from '#web/lib/use-call.ts';
import { useCode } from '#web/public-pages/use-code.ts';
import { CodeField } from '#web/ui/code-field.tsx';
import { Dialog, DialogButtons } from '#web/ui/dialog.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import styles from './set-up-app-dialog.module.css';

type Props = {
  setup: Output<typeof authenticator.beginSetup>;
  isReplacement: boolean;
  onClose: () => void;
  /** With the recovery codes, if these are the first ones. */
  onDone: (recoveryCodes: string[] | null) => void;
};

/** Shows the secret as QR code and as text, and asks for a first code. */
export function SetUpAppDialog({ setup: { secret, qrCode, setup }, isReplacement, onClose, onDone }: Props) {
  const client = useQueryClient();
  const { run, busy } = useCall(authenticator.finishSetup, {
    otp_invalid: (failure) => code.refused(failure),
    otp_expired: () => {
      showAlert({ kind: 'warning', text: text.expired });
      onClose();
    },
  });
  const finish = async (typed: string) => {
    const answer = await run({ setup, code: typed });
    if (!answer) return;
    await refetchSecondSteps(client);
    showAlert({ kind: 'success', about: 'two-step', text: text.done });
    onDone(answer.recoveryCodes);
  };
  const code = useCode((typed) => void finish(typed));
  return (
    <Dialog
      open
      onClose={onClose}
      busy={busy}
      title={text.setUpTitle}
      description={isReplacement ? text.replaceLead : undefined}
      onSubmit={code.form.onSubmit}
      initialFocus={code.props.ref}
      footer={<DialogButtons act={text.finish} onCancel={onClose} busy={busy} />}
    >
      <ol className={styles.steps}>
        <li>
          <p>{text.scan}</p>
          <img
            className={styles.qrCode}
            src={`data:image/svg+xml,${encodeURIComponent(qrCode)}`}
            alt={text.qrCode}
            width="184"
            height="184"
          />
        </li>
        <li>
          <p>{text.type}</p>
          <div className={styles.key}>
            <code aria-label={text.key}>{inFours(secret)}</code>
            <IconButton
              name={fill(copyText.copy, { label: text.key })}
              icon={<Copy />}
              onClick={() => void copy(secret)}
            />
          </div>
        </li>
        <li>
          <p>{fill(text.confirm, { count: OTP_CHARACTERS })}</p>
          <CodeField {...code.props} label={fill(codeText.label, { count: OTP_CHARACTERS })} />
        </li>
      </ol>
    </Dialog>
  );
}

const inFours = (secret: string) => secret.match(/.{1,4}/g)?.join(' ') ?? secret;
