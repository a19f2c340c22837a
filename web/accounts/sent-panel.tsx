import { ExternalLink, Mail } from 'lucide-react';
import { accountsText } from '#contract/text/accounts.ts';
import { uiText } from '#contract/text/ui.ts';
import { fill } from '#contract/text.ts';
import { mailProviderOf } from '#web/accounts/mail-providers.ts';
import { maskEmail } from '#web/accounts/mask.ts';
import { ResendButton } from '#web/accounts/resend-button.tsx';
import { Button } from '#web/ui/button.tsx';
import styles from './sent-panel.module.css';

const text = accountsText.verifyAccount;

/** Where the mail went, the way to its reader, and what to do when it does not come. */
export function SentPanel({ email, onOther }: { email: string; onOther: () => void }) {
  const provider = mailProviderOf(email);
  return (
    <>
      <p className={styles.sentTo}>
        <Mail aria-hidden="true" />
        <span>
          {text.sentTo} <strong>{maskEmail(email)}</strong>
        </span>
      </p>
      {provider && (
        <Button
          href={provider.url}
          target="_blank"
          rel="noreferrer"
          kind="primary"
          wide
          icon={<ExternalLink />}
        >
          {fill(text.open, { provider: provider.name })}
          <span className="visually-hidden"> {uiText.opensNewTab}</span>
        </Button>
      )}
      <ResendButton email={email} />
      <p className={styles.noMail}>
        {text.noMail}{' '}
        <button type="button" className={styles.other} onClick={onOther}>
          {text.otherAddress}
        </button>
      </p>
    </>
  );
}
