import { useState } from 'react';
import { signingOut } from '#contract/sign-in/sign-out.ts';
import { invitationText as text } from '#words/invitation.ts';
import { uiText } from '#words/ui.ts';
import { takeDigest } from '#web/public-pages/digest.ts';
import { PageHead } from '#web/public-pages/page-head.tsx';
import type { PublicPage } from '#web/public-pages/public-page.ts';
import { tellSignedOut } from '#web/lib/stored-text.ts';
import { useCall } from '#web/lib/use-call.ts';
import { Button } from '#web/ui/button.tsx';
import { WideLink } from '#web/public-pages/page-form.tsx';
import { AnswerInvitation } from './answer-invitation.tsx';
import { headOf, type Step } from './invitation-head.ts';
import { personChangedClaims, type LinkProblem, type Invitation, useInvitation } from './use-invitation.ts';

const digest = takeDigest();

function InvitationPage() {
  const { invitation, reload } = useInvitation(digest);
  const [step, setStep] = useState<Step>('answer');
  return (
    <>
      <PageHead {...headOf(invitation, step)} />
      {typeof invitation === 'string' && <WayOut problem={invitation} reload={reload} />}
      {typeof invitation === 'object' && digest !== undefined && (
        <>
          {invitation.state === 'open' && (
            <AnswerInvitation
              digest={digest}
              email={invitation.email}
              step={step}
              onStep={setStep}
              onRefused={() => void reload()}
            />
          )}
          {invitation.state === 'other_account' && <OtherAccount onSignedOut={reload} />}
          <WayIn state={invitation.state} digest={digest} />
        </>
      )}
    </>
  );
}

function WayIn({ state, digest }: { state: Invitation['state']; digest: string }) {
  if (state === 'create_password')
    return <WideLink href={`/createpassword?digest=${digest}`}>{text.create}</WideLink>;
  if (state !== 'sign_in') return null;
  const back = new URLSearchParams({ redirectpath: `/invitation?digest=${digest}` });
  return <WideLink href={`/login?${back.toString()}`}>{text.signIn}</WideLink>;
}

function OtherAccount({ onSignedOut }: { onSignedOut: () => Promise<void> }) {
  const { run, busy } = useCall(signingOut.signOut, { ...personChangedClaims(onSignedOut) });
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

function WayOut({ problem, reload }: { problem: LinkProblem; reload: () => Promise<void> }) {
  if (problem === 'failed')
    return (
      <Button kind="primary" wide onClick={() => void reload()}>
        {uiText.tryAgain}
      </Button>
    );
  return <WideLink href="/login">{text.goOn}</WideLink>;
}

export const page: PublicPage = { title: text.title, View: InvitationPage };
