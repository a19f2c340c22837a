import { useState } from 'react';
import { signingOut } from '#contract/sign-in/sign-out.ts';
import { invitationText as text } from '#contract/text/invitation.ts';
import { uiText } from '#contract/text/ui.ts';
import { takeDigest } from '#web/public-pages/digest.ts';
import { PageHead } from '#web/public-pages/page-head.tsx';
import type { PublicPage } from '#web/public-pages/public-page.ts';
import { tellSignedOut } from '#web/lib/stored-text.ts';
import { useCall } from '#web/lib/use-call.ts';
import { Button } from '#web/ui/button.tsx';
import { AnswerInvitation } from './answer-invitation.tsx';
import { headOf, type Step } from './invitation-head.ts';
import { changedHands, type Dead, type Invitation, useInvitation } from './use-invitation.ts';

const digest = takeDigest();

/** The invitation of a mailed link, and what its reader can do. */
function InvitationPage() {
  const { found, look } = useInvitation(digest);
  const [step, setStep] = useState<Step>('answer');
  return (
    <>
      <PageHead {...headOf(found, step)} />
      {typeof found === 'string' && <WayOut why={found} look={look} />}
      {typeof found === 'object' && digest !== undefined && (
        <>
          {found.state === 'open' && (
            <AnswerInvitation
              digest={digest}
              email={found.email}
              step={step}
              onStep={setStep}
              onRefused={() => void look()}
            />
          )}
          {found.state === 'other_account' && <OtherAccount onSignedOut={look} />}
          <WayIn state={found.state} digest={digest} />
        </>
      )}
    </>
  );
}

/** For a reader without a session: to the login page and back, or to a first password. */
function WayIn({ state, digest }: { state: Invitation['state']; digest: string }) {
  if (state === 'create_password')
    return (
      <Button kind="primary" wide href={`/createpassword?digest=${digest}`}>
        {text.create}
      </Button>
    );
  if (state !== 'sign_in') return null;
  const back = new URLSearchParams({ redirectpath: `/invitation?digest=${digest}` });
  return (
    <Button kind="primary" wide href={`/login?${back.toString()}`}>
      {text.signIn}
    </Button>
  );
}

function OtherAccount({ onSignedOut }: { onSignedOut: () => Promise<void> }) {
  const { run, busy } = useCall(signingOut.signOut, { ...changedHands(onSignedOut) });
  const leave = async () => {
    if (!(await run({}))) return;
    tellSignedOut();
    await onSignedOut();
  };
  return (
    <>
      <Button kind="primary" wide busy={busy} onClick={() => void leave()}>
        {text.signOut}
      </Button>
      <Button wide href="/">
        {text.stay}
      </Button>
    </>
  );
}

function WayOut({ why, look }: { why: Dead; look: () => Promise<void> }) {
  if (why === 'failed')
    return (
      <Button kind="primary" wide onClick={() => void look()}>
        {uiText.tryAgain}
      </Button>
    );
  return (
    <Button kind="primary" wide href="/login">
      {text.goOn}
    </Button>
  );
}

export const page: PublicPage = { title: text.title, View: InvitationPage };
