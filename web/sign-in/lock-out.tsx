import { useState } from 'react';
import type { emailRestore } from '#contract/profile/restore.ts';
import type { recovery } from '#contract/sign-in/recovery.ts';
import { linkText } from '#words/link.ts';
import { publicText } from '#words/public.ts';
import type { CallError } from '#web/lib/call.ts';
import { leaveFor } from '#web/lib/navigate.ts';
import { PageHead } from '#web/public-pages/page-head.tsx';
import { useCall } from '#web/lib/use-call.ts';
import { Button } from '#web/ui/button.tsx';
import { WideLink } from '#web/public-pages/page-form.tsx';
import styles from './lock-out.module.css';
type DeadLink = 'used' | 'expired' | 'taken';
type Props = {
  digest: string | undefined;
  call: typeof recovery.notMe | typeof emailRestore.restoreEmail;
  words: Record<
    'title' | 'lead' | 'missingLead' | 'usedLead' | 'expiredLead' | 'submit' | 'wasMe',
    string
  > & {
    effect?: string;
  };
  taken?: { heading: string; lead: string };
};

const text = linkText.lockOut;

export function LockOut({ digest, call, words, taken }: Props) {
  const [state, setState] = useState<'ask' | 'missing' | DeadLink>(digest === undefined ? 'missing' : 'ask');
  const usedHead = { heading: linkText.used, lead: words.usedLead };
  const heads = {
    ask: { heading: words.title, lead: words.lead },
    missing: { heading: linkText.missing, lead: words.missingLead },
    used: usedHead,
    expired: { heading: linkText.expired, lead: words.expiredLead },
    taken: taken ?? usedHead,
  };
  return (
    <>
      <PageHead {...heads[state]} />
      {state === 'ask' && digest !== undefined ? (
        <EndEverything digest={digest} call={call} words={words} onDead={setState} />
      ) : state === 'taken' ? (
        <WideLink href="/login">{publicText.toLogin}</WideLink>
      ) : (
        <>
          <WideLink href="/forgotpassword">{text.newPassword}</WideLink>
          <p>
            <a href="/login">{publicText.toLogin}</a>
          </p>
        </>
      )}
    </>
  );
}

type AskProps = Pick<Props, 'call' | 'words'> & { digest: string; onDead: (why: DeadLink) => void };

/** Nothing happens before the press, because mail programs open links by themselves. */
function EndEverything({ digest, call, words, onDead }: AskProps) {
  const [isDone, setIsDone] = useState(false);
  const onRefused = (why: DeadLink) => (_failure: CallError) => onDead(why);
  const { run, busy } = useCall(call, {
    digest_invalid: onRefused('used'),
    digest_expired: onRefused('expired'),
    email_id_exist: onRefused('taken'),
  });
  const end = async () => {
    const answer = await run({ digest });
    if (!answer) return;
    setIsDone(true);
    await leaveFor(`/resetpassword?digest=${encodeURIComponent(answer.digest)}`, { replace: true });
  };
  return (
    <>
      <ol className={styles.effects}>
        {words.effect && <li>{words.effect}</li>}
        {Object.values(text.effects).map((effect) => (
          <li key={effect}>{effect}</li>
        ))}
      </ol>
      <Button kind="danger" wide busy={busy || isDone} onClick={() => void end()}>
        {words.submit}
      </Button>
      <p>{words.wasMe}</p>
    </>
  );
}
