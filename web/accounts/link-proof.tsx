import { confirmation } from '#contract/accounts/confirmation.ts';
import type { Output } from '#contract/endpoint.ts';
import { signingOut } from '#contract/sign-in/sign-out.ts';
import { confirmationText } from '#words/confirmation.ts';
import { useCall } from '#web/lib/use-call.ts';
import { PageForm } from '#web/public-pages/page-form.tsx';
import { PasswordProof } from '#web/public-pages/password-proof.tsx';
import { Button } from '#web/ui/button.tsx';
import styles from './link-proof.module.css';

const text = confirmationText.verifyEmail;

type Props = {
  digest: string;
  /** The mailbox alone is enough: its owner may choose a new password. */
  mailboxCounts: boolean;
  onDead: (why: 'used' | 'expired') => void;
  onDone: (answer: Output<typeof confirmation.verifyEmail>) => void | Promise<void>;
};

export function LinkProof({ digest, mailboxCounts, onDead, onDone }: Props) {
  const deadLinkClaims = {
    digest_invalid: () => onDead('used'),
    digest_expired: () => onDead('expired'),
  };
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
      <PasswordProof
        endpoint={confirmation.verifyEmail}
        input={{ digest }}
        claims={deadLinkClaims}
        label={text.password}
        onDone={onDone}
        render={(parts) => <PageForm act={text.submit} {...parts} />}
      />
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
