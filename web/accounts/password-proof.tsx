import { confirmation } from '#contract/accounts/confirmation.ts';
import type { Output } from '#contract/endpoint.ts';
import { signingOut } from '#contract/sign-in/sign-out.ts';
import { confirmationText } from '#contract/text/confirmation.ts';
import { useForm } from '#web/lib/form.ts';
import { RefusalNotice } from '#web/ui/refusal-notice.tsx';
import { useCall } from '#web/lib/use-call.ts';
import { Button } from '#web/ui/button.tsx';
import { PasswordField } from '#web/ui/password-field.tsx';
import styles from './password-proof.module.css';

const text = confirmationText.verifyEmail;

type Props = {
  digest: string;
  /** The mailbox alone is enough: its owner may choose a new password. */
  mailboxCounts: boolean;
  onDead: (why: 'used' | 'expired') => void;
  onDone: (answer: Output<typeof confirmation.verifyEmail>) => void | Promise<void>;
};

/** Asks a person without a session for their password, or lets them choose a new one. */
export function PasswordProof({ digest, mailboxCounts, onDead, onDone }: Props) {
  const deadLinkClaims = {
    digest_invalid: () => onDead('used'),
    digest_expired: () => onDead('expired'),
  };
  const form = useForm(confirmation.verifyEmail, {
    initial: { password: '' },
    toInput: (values) => ({ ...values, digest }),
    beside: { invalid_credentials: 'password' },
    above: ['too_many_requests', 'unavailable'],
    claims: deadLinkClaims,
    onDone,
  });
  const withoutPassword = useCall(confirmation.verifyEmail, deadLinkClaims);
  const signOut = useCall(signingOut.signOut);
  const chooseNew = async () => {
    let answer = await withoutPassword.run({ digest });
    if (answer?.passwordNeeded && answer.digest === undefined) {
      // Somebody else is signed in here. Sign them out, so that only the mailbox counts.
      await signOut.run({});
      answer = await withoutPassword.run({ digest });
    }
    if (answer) await onDone(answer);
  };
  return (
    <>
      <form {...form.props}>
        <RefusalNotice form={form} />
        <PasswordField
          label={text.password}
          autoComplete="current-password"
          required
          {...form.field('password')}
        />
        <Button type="submit" kind="primary" wide busy={form.busy}>
          {text.submit}
        </Button>
      </form>
      {mailboxCounts && (
        <>
          <div className={styles.or}>{text.or}</div>
          <Button wide busy={withoutPassword.busy} onClick={() => void chooseNew()}>
            {text.newPassword}
          </Button>
          <p className={styles.hint}>{text.newPasswordHint}</p>
        </>
      )}
    </>
  );
}
