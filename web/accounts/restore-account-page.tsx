import { useState } from 'react';
import { accountRestore } from '#contract/accounts/restore.ts';
import { linkText } from '#words/link.ts';
import { restoreText as text } from '#words/restore.ts';
import { LinkAgain } from './link-again.tsx';
import { restoreLink } from './restore-link.ts';
import { takeDigest } from '#web/public-pages/digest.ts';
import { PageHead } from '#web/public-pages/page-head.tsx';
import type { PublicPage } from '#web/public-pages/public-page.ts';
import { useCall } from '#web/lib/use-call.ts';
import { Button } from '#web/ui/button.tsx';
import { WideLink } from '#web/public-pages/page-form.tsx';

const digest = takeDigest();

const heads = {
  ask: { heading: text.title, lead: text.lead },
  done: { heading: text.doneHeading, lead: text.doneLead },
  missing: { heading: linkText.missing, lead: text.missingLead },
  used: { heading: linkText.used, lead: text.usedLead },
  expired: { heading: linkText.expired, lead: text.expiredLead },
  sent: { heading: text.sentHeading, lead: text.sentLead },
};
type State = Exclude<keyof typeof heads, 'sent'>;

function RestoreAccountPage() {
  const [state, setState] = useState<State>(digest === undefined ? 'missing' : 'ask');
  const [sentTo, setSentTo] = useState<string>();
  return (
    <>
      <PageHead {...heads[sentTo === undefined ? state : 'sent']} />
      {state === 'ask' && digest !== undefined && <Restore digest={digest} onSettled={setState} />}
      {(state === 'missing' || state === 'used') && (
        <LinkAgain link={restoreLink} email={sentTo} onEmail={setSentTo} />
      )}
      {state === 'done' && <WideLink href="/login">{text.signIn}</WideLink>}
      {state === 'expired' && <WideLink href="/signup">{text.signUp}</WideLink>}
      {state !== 'ask' && state !== 'done' && (
        <p>
          <a href="/login">{text.signIn}</a>
        </p>
      )}
    </>
  );
}

type Props = { digest: string; onSettled: (state: 'done' | 'used' | 'expired') => void };

/** Nothing happens before the press, because mail programs open links by themselves. */
function Restore({ digest: secret, onSettled }: Props) {
  const { run, busy } = useCall(accountRestore.restore, {
    digest_invalid: () => onSettled('used'),
    digest_expired: () => onSettled('expired'),
  });
  const restore = async () => {
    if (await run({ digest: secret })) onSettled('done');
  };
  return (
    <>
      <Button kind="primary" wide busy={busy} onClick={() => void restore()}>
        {text.submit}
      </Button>
      <p>{text.letGo}</p>
    </>
  );
}

export const page: PublicPage = { title: text.title, View: RestoreAccountPage };
