import { useQueryClient } from '@tanstack/react-query';
import { terms } from '#contract/accounts/terms.ts';
import { newTermsText as text } from '#words/new-terms.ts';
import { useCall } from '#web/lib/use-call.ts';
import { Button } from '#web/ui/button.tsx';
import { legalLinks } from '#web/ui/legal-links.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { sessionQuery } from './queries.ts';
import type { Session } from './session.ts';
import styles from './shell.module.css';

/** A new version of the operator's terms. It blocks nothing. */
export function TermsBanner({ newTerms }: { newTerms: NonNullable<Session['newTerms']> }) {
  const client = useQueryClient();
  const { run, busy } = useCall(terms.agree);
  const agree = async () => {
    if (await run({ version: newTerms.version })) await client.invalidateQueries(sessionQuery);
  };
  return (
    <div className={styles.banner}>
      <Notice
        kind="info"
        action={
          <Button size="small" busy={busy} onClick={() => void agree()}>
            {text.agree}
          </Button>
        }
      >
        {text.banner(legalLinks(newTerms))}
      </Notice>
    </div>
  );
}
