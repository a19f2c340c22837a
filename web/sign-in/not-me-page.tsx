import { useState } from 'react';
import { NOT_ME_DAYS } from '#contract/limits.ts';
import { recovery } from '#contract/recovery.ts';
import { recoveryText } from '#contract/text/recovery.ts';
import { fill } from '#contract/text.ts';
import { takeDigest } from '#web/lib/digest.ts';
import { leaveFor } from '#web/lib/navigate.ts';
import { PageHead } from '#web/lib/page-head.tsx';
import type { PublicPage } from '#web/lib/public-page.ts';
import { useCall } from '#web/lib/use-call.ts';
import { Button } from '#web/ui/button.tsx';
import styles from './not-me-page.module.css';

const text = recoveryText.notMe;
const digest = takeDigest();

const heads = {
  ask: { heading: text.title, lead: text.lead },
  missing: { heading: text.missingHeading, lead: text.missingLead },
  used: { heading: text.usedHeading, lead: text.usedLead },
  expired: { heading: text.expiredHeading, lead: fill(text.expiredLead, { days: NOT_ME_DAYS }) },
};

function NotMePage() {
  const [state, setState] = useState<keyof typeof heads>(digest === undefined ? 'missing' : 'ask');
  return (
    <>
      <PageHead {...heads[state]} />
      {state === 'ask' && digest !== undefined ? (
        <EndEverything digest={digest} onDead={setState} />
      ) : (
        <>
          <Button href="/forgotpassword" kind="primary" wide>
            {text.newPassword}
          </Button>
          <p>
            <a href="/login">{text.signIn}</a>
          </p>
        </>
      )}
    </>
  );
}

/** Says what the press does before it does it: mail readers open links by themselves, but press nothing. */
function EndEverything({ digest, onDead }: { digest: string; onDead: (why: 'used' | 'expired') => void }) {
  const [done, setDone] = useState(false);
  const { run, busy } = useCall(recovery.notMe, {
    digest_invalid: () => onDead('used'),
    digest_expired: () => onDead('expired'),
  });
  const end = async () => {
    const answer = await run({ digest });
    if (!answer) return;
    setDone(true);
    await leaveFor(`/resetpassword?digest=${encodeURIComponent(answer.digest)}`, { replace: true });
  };
  return (
    <>
      <ol className={styles.effects}>
        {text.effects.map((effect) => (
          <li key={effect}>{effect}</li>
        ))}
      </ol>
      <Button kind="danger" wide busy={busy || done} onClick={() => void end()}>
        {text.submit}
      </Button>
      <p>{text.wasMe}</p>
    </>
  );
}

export const page: PublicPage = { title: text.title, View: NotMePage };
