import type { ReactNode } from 'react';
import { maskEmail } from '#contract/accounts/mask.ts';
import { sentText as text } from '#words/sent.ts';
import { lateUiText } from '#words/late-ui.ts';
import { mailProviderOf } from './mail-providers.ts';
import { Button } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { LinkButton } from '#web/ui/link-button.tsx';
import styles from './sent-panel.module.css';

const ENVELOPE =
  'M22 7l-8.991 5.727a2 2 0 0 1-2.009 0L2 7M4 4h16a2 2 0 0 1 2 2v12a2 2 0 0 1-2 2H4a2 2 0 0 1-2-2V6a2 2 0 0 1 2-2z';
const ELSEWHERE = 'M15 3h6v6M10 14 21 3M18 13v6a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V8a2 2 0 0 1 2-2h6';

type Props = {
  email: string;
  /** Shows the full address, so that the person who typed it can check it. */
  full?: true;
  resend: ReactNode;
  noMail: string;
  onOther: () => void;
};

export function SentPanel({ email, full, resend, noMail, onOther }: Props) {
  const provider = mailProviderOf(email);
  return (
    <>
      <p className={styles.sentTo}>
        <Icon d={ENVELOPE} />
        <span>
          {text.sentTo({
            email: full ? email : maskEmail(email),
            address: (words) => <strong key="address">{words}</strong>,
          })}
        </span>
      </p>
      {provider && (
        <Button
          href={provider.url}
          target="_blank"
          rel="noreferrer"
          kind="primary"
          wide
          icon={<Icon d={ELSEWHERE} />}
        >
          {text.open({ provider: provider.name })}
          <span className="visually-hidden"> {lateUiText.opensNewTab}</span>
        </Button>
      )}
      {resend}
      <p className={styles.noMail}>
        {noMail} <LinkButton onClick={onOther}>{text.otherAddress}</LinkButton>
      </p>
    </>
  );
}
