import { useQueryClient } from '@tanstack/react-query';
import { Copy } from 'lucide-react';
import type { Output } from '#contract/endpoint.ts';
import { authenticator } from '#contract/sign-in/authenticator.ts';
import { authenticatorDialogText as text } from '#words/authenticator-dialog.ts';
import { copyText } from '#words/copy.ts';
import { showAlert } from '#web/lib/alert-store.ts';
import { copy } from '#web/lib/copy.ts';
import { refetchSecondSteps } from '#web/lib/second-steps.ts';
import { CodeProof } from '#web/public-pages/code-proof.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import styles from './set-up-app-dialog.module.css';

type Props = {
  setup: Output<typeof authenticator.beginSetup>;
  isReplacement: boolean;
  onClose: () => void;
  /** With the recovery codes, if these are the first ones. */
  onDone: (recoveryCodes: string[] | null) => void;
};

export function SetUpAppDialog({ setup: made, isReplacement, onClose, onDone }: Props) {
  const { secret, link, qrCode, setup } = made;
  const client = useQueryClient();
  const onExpired = () => {
    showAlert({ kind: 'warning', text: text.expired });
    onClose();
  };
  const finish = async ({ recoveryCodes }: Output<typeof authenticator.finishSetup>) => {
    await refetchSecondSteps(client);
    showAlert({ kind: 'success', about: 'two-step', text: text.done });
    onDone(recoveryCodes);
  };
  return (
    <CodeProof
      endpoint={authenticator.finishSetup}
      toInput={(code) => ({ setup, code })}
      claims={{ otp_expired: onExpired }}
      onDone={finish}
      render={({ form, children }) => (
        <FormDialog
          form={form}
          onClose={onClose}
          title={text.setUpTitle}
          description={isReplacement ? text.replaceLead : undefined}
          act={text.finish}
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
              <a href={link} className={buttonClass({ size: 'small' }, styles.open)}>
                {text.open}
              </a>
            </li>
            <li>
              <p>{text.type}</p>
              <div className={styles.key}>
                <code dir="ltr" aria-label={text.key}>
                  {inFours(secret)}
                </code>
                <IconButton
                  name={copyText.copy({ label: text.key })}
                  icon={<Copy />}
                  onClick={() => void copy(secret)}
                />
              </div>
            </li>
            <li>
              <p>{text.confirm}</p>
              {children}
            </li>
          </ol>
        </FormDialog>
      )}
    />
  );
}

const inFours = (secret: string) => secret.match(/.{1,4}/g)?.join(' ') ?? secret;
