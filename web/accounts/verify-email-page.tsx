import { useRef, useState } from 'react';
import { confirmation } from '#contract/confirmation.ts';
import type { Output } from '#contract/endpoint.ts';
import { CONFIRMATION_HOURS } from '#contract/limits.ts';
import { confirmationText } from '#contract/text/confirmation.ts';
import { linkText } from '#contract/text/links.ts';
import { fill } from '#contract/text.ts';
import { LinkAgain } from '#web/accounts/link-again.tsx';
import { PasswordProof } from '#web/accounts/password-proof.tsx';
import { verificationLink } from '#web/accounts/verification-link.ts';
import { takeDigest } from '#web/lib/digest.ts';
import { resumeAt } from '#web/lib/errand.ts';
import { askedQuery, leaveFor } from '#web/lib/navigate.ts';
import { PageHead } from '#web/lib/page-head.tsx';
import type { PublicPage } from '#web/lib/public-page.ts';
import { useSessionCheck } from '#web/lib/session-check.ts';
import { useCall } from '#web/lib/use-call.ts';
import { Button } from '#web/ui/button.tsx';

const text = confirmationText.verifyEmail;
const digest = takeDigest();
/** The link is of an address that is to take the place of another: the account has its owner, who must say so. */
const isNew = new URLSearchParams(askedQuery()).has('new');

const heads = {
  checking: { heading: text.title, lead: text.checking },
  ask: { heading: text.title, lead: isNew ? text.askNewLead : text.askLead },
  press: { heading: text.title, lead: text.signedInLead },
  confirmed: { heading: text.confirmedHeading, lead: text.confirmedLead },
  confirmedSignedOut: { heading: text.confirmedHeading, lead: text.confirmedSignInLead },
  missing: { heading: linkText.missing, lead: text.missingLead },
  used: { heading: linkText.used, lead: isNew ? text.newUsedLead : text.usedLead },
  expired: {
    heading: linkText.expired,
    lead: fill(isNew ? text.newExpiredLead : text.expiredLead, { hours: CONFIRMATION_HOURS }),
  },
  sent: { heading: confirmationText.verifyAccount.title, lead: confirmationText.verifyAccount.lead },
};
type State = Exclude<keyof typeof heads, 'sent'>;

function VerifyEmailPage() {
  const [state, setState] = useState<State>(digest === undefined ? 'missing' : 'checking');
  const [sentTo, setSentTo] = useState<string>();
  const wasConfirmed = useRef(false);
  const { run, busy } = useCall(confirmation.verifyEmail, {
    // A link used a moment ago, on a page that was loaded again, has done what it was for.
    digest_invalid: () => setState(wasConfirmed.current ? 'confirmed' : 'used'),
    digest_expired: () => setState('expired'),
  });

  const settle = (answer: Output<typeof confirmation.verifyEmail>, done: State) => {
    if (!answer.passwordNeeded) return setState(done);
    // Signed in as somebody else: the account of the link is asked for its password.
    if (answer.digest === undefined) return setState('ask');
    const secret = encodeURIComponent(answer.digest);
    return leaveFor(`/createpassword?confirmed=true&digest=${secret}`, { replace: true });
  };
  /** Somebody signed in proves the account by the session itself. */
  const confirm = async () => {
    if (digest === undefined) return;
    const answer = await run({ digest });
    if (answer) await settle(answer, 'confirmed');
  };
  const ask = () => setState((now) => (now === 'checking' ? 'ask' : now));
  useSessionCheck({
    signedIn: ({ confirmed }) => {
      wasConfirmed.current = confirmed && !isNew;
      setState((now) => (now === 'checking' ? 'press' : now));
      void confirm();
    },
    signedOut: ask,
    failed: ask,
  });

  const isDead = state === 'missing' || state === 'used' || state === 'expired';
  return (
    <>
      <PageHead {...heads[sentTo === undefined ? state : 'sent']} />
      {state === 'ask' && digest !== undefined && (
        <PasswordProof
          digest={digest}
          mailboxCounts={!isNew}
          onDead={setState}
          onDone={(answer) => settle(answer, 'confirmedSignedOut')}
        />
      )}
      {state === 'press' && (
        <Button kind="primary" wide busy={busy} onClick={() => void confirm()}>
          {text.submit}
        </Button>
      )}
      {state === 'confirmed' && (
        <Button href="/" kind="primary" wide>
          {text.goOn}
        </Button>
      )}
      {state === 'confirmedSignedOut' && (
        <Button href={resumeAt('/login')} kind="primary" wide>
          {text.signIn}
        </Button>
      )}
      {isDead && isNew && (
        <Button href="/" kind="primary" wide>
          {text.toProfile}
        </Button>
      )}
      {isDead && !isNew && (
        <>
          <LinkAgain link={verificationLink} email={sentTo} onEmail={setSentTo} />
          <p>
            <a href="/login">{text.signIn}</a> ·{' '}
            <a href="/forgotpassword">{confirmationText.verifyAccount.forgot}</a>
          </p>
        </>
      )}
    </>
  );
}

export const page: PublicPage = { title: text.title, View: VerifyEmailPage };
