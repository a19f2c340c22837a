import { useState } from 'react';
import { createPasswordText as text } from '#contract/text/create-password.ts';
import { takeDigest } from '#web/lib/digest.ts';
import { leaveFor } from '#web/lib/navigate.ts';
import { PageHead } from '#web/lib/page-head.tsx';
import type { PublicPage } from '#web/lib/public-page.ts';
import { useSessionCheck } from '#web/lib/session-check.ts';
import { NewPasswordForm } from '#web/sign-in/new-password-form.tsx';
import { Button } from '#web/ui/button.tsx';

const digest = takeDigest();

const heads = {
  form: { heading: text.title, lead: text.lead },
  used: { heading: text.usedHeading, lead: text.deadLead },
  expired: { heading: text.expiredHeading, lead: text.deadLead },
};

function CreatePasswordPage() {
  const [state, setState] = useState<keyof typeof heads>('form');
  return (
    <>
      <PageHead {...heads[state]} />
      {digest === undefined && <WithoutDigest />}
      {digest !== undefined && state === 'form' && <NewPasswordForm digest={digest} onDead={setState} />}
      {state !== 'form' && <DeadLink />}
    </>
  );
}

/** Nothing can be set without the mailed secret: signed-in people land, others sign up. */
function WithoutDigest() {
  const toSignUp = () => void leaveFor('/signup', { replace: true });
  useSessionCheck({
    signedIn: () => void leaveFor('/', { replace: true }),
    signedOut: toSignUp,
    failed: toSignUp,
  });
  return null;
}

function DeadLink() {
  return (
    <>
      <Button href="/login" kind="primary" wide>
        {text.signIn}
      </Button>
      <Button href="/verifyaccount" wide>
        {text.newLink}
      </Button>
      <p>{text.invited}</p>
    </>
  );
}

export const page: PublicPage = { title: text.title, View: CreatePasswordPage };
