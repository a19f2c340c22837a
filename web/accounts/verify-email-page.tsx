import { useRef, useState } from 'react';
import { confirmation } from '#contract/accounts/confirmation.ts';
import type { Output } from '#contract/endpoint.ts';
import { confirmationText } from '#words/confirmation.ts';
import { linkText } from '#words/link.ts';
import { LinkAgain } from './link-again.tsx';
import { LinkProof } from './link-proof.tsx';
import { verificationLink } from './verification-link.ts';
import { actFor } from '#web/lib/call.ts';
import { takeDigest } from '#web/public-pages/digest.ts';
import { resumeAt } from '#web/public-pages/errand.ts';
import { askedQuery, leaveFor } from '#web/lib/navigate.ts';
import { PageHead } from '#web/public-pages/page-head.tsx';
import type { PublicPage } from '#web/public-pages/public-page.ts';
import { useSessionCheck } from '#web/public-pages/session-check.ts';
import { useCall } from '#web/lib/use-call.ts';
import { showAlert } from '#web/lib/alert-store.ts';
import { Button } from '#web/ui/button.tsx';
import { WideLink } from '#web/public-pages/page-form.tsx';

const text = confirmationText.verifyEmail;
const digest = takeDigest();
/** The link confirms a changed address. The account already has an owner, who must approve. */
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
    lead: isNew ? text.newExpiredLead : text.expiredLead,
  },
  sent: { heading: confirmationText.verifyAccount.title, lead: confirmationText.verifyAccount.lead },
};
type State = Exclude<keyof typeof heads, 'sent'>;

function VerifyEmailPage() {
  const [state, setState] = useState<State>(digest === undefined ? 'missing' : 'checking');
  /** Asks for the password, because it proves the account even if another person is signed in. */
  const askForPassword = () => {
    actFor();
    setState('ask');
  };
  const [sentTo, setSentTo] = useState<string>();
  const wasConfirmed = useRef(false);
  const { run, busy } = useCall(confirmation.verifyEmail, {
    // After a reload the link is already used, but it has confirmed the address.
    digest_invalid: () => setState(wasConfirmed.current ? 'confirmed' : 'used'),
    digest_expired: () => setState('expired'),
    // In another tab the person signed out, or somebody else signed in. Ask for the password of the link's account.
    not_signed_in: askForPassword,
    signed_in_as_another: ({ message }) => {
      showAlert({ kind: 'warning', text: message });
      askForPassword();
    },
  });
  const settle = (answer: Output<typeof confirmation.verifyEmail>, nextState: State) => {
    if (!answer.passwordNeeded) return setState(nextState);
    // Somebody else is signed in. Ask for the password of the link's account.
    if (answer.digest === undefined) return askForPassword();
    const secret = encodeURIComponent(answer.digest);
    return leaveFor(`/createpassword?confirmed=true&digest=${secret}`, { replace: true });
  };
  const confirm = async () => {
    if (digest === undefined) return;
    const answer = await run({ digest });
    if (answer) await settle(answer, 'confirmed');
  };
  const ask = () => setState((now) => (now === 'checking' ? 'ask' : now));
  useSessionCheck({
    signedIn: ({ confirmed, person }) => {
      actFor(person);
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
        <LinkProof
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
      {state === 'confirmed' && <WideLink href="/">{text.goOn}</WideLink>}
      {state === 'confirmedSignedOut' && <WideLink href={resumeAt('/login')}>{text.signIn}</WideLink>}
      {isDead && isNew && <WideLink href="/">{text.toProfile}</WideLink>}
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
