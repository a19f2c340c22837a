import { INVITATION_DAYS } from '#contract/limits.ts';
import { signIn } from '#contract/sign-in.ts';
import { invitationText as text } from '#contract/text/invitation.ts';
import { uiText } from '#contract/text/ui.ts';
import { fill } from '#contract/text.ts';
import { takeDigest } from '#web/lib/digest.ts';
import { PageHead } from '#web/lib/page-head.tsx';
import type { PublicPage } from '#web/lib/public-page.ts';
import { useCall } from '#web/lib/use-call.ts';
import { Button } from '#web/ui/button.tsx';
import { AnswerInvitation } from './answer-invitation.tsx';
import { type Invitation, useInvitation } from './use-invitation.ts';

const digest = takeDigest();

const deadHeads = {
  missing: { heading: text.missingHeading, lead: text.missingLead },
  used: { heading: text.usedHeading, lead: text.usedLead },
  expired: { heading: text.expiredHeading, lead: fill(text.expiredLead, { days: INVITATION_DAYS }) },
  failed: { heading: text.failedHeading, lead: text.failedLead },
};

/** An invitation as its mailed link shows it. */
function InvitationPage() {
  const { found, look } = useInvitation(digest);
  if (found === undefined) return <PageHead heading={text.title} lead={text.checking} />;
  if (typeof found === 'object' && digest !== undefined)
    return <Standing digest={digest} invitation={found} look={look} />;
  const dead = typeof found === 'object' ? 'missing' : found;
  return (
    <>
      <PageHead {...deadHeads[dead]} />
      {dead === 'failed' ? (
        <Button kind="primary" wide onClick={() => void look()}>
          {uiText.tryAgain}
        </Button>
      ) : (
        <Button kind="primary" wide href="/login">
          {text.goOn}
        </Button>
      )}
    </>
  );
}

type Props = { digest: string; invitation: Invitation; look: () => Promise<void> };

/** What its reader can do with an invitation that stands. */
function Standing({ digest, invitation, look }: Props) {
  const { organization, role, invitedBy: inviter, email, state } = invitation;
  const lead = fill(text.lead, { inviter, organization, role });
  if (state === 'open') return <AnswerInvitation digest={digest} invitation={invitation} onRefused={look} />;
  if (state === 'other_account') return <OtherAccount invitation={invitation} onSignedOut={look} />;
  const ways = {
    sign_in: {
      lead: fill(text.signInLead, { lead, email }),
      href: `/login?${new URLSearchParams({ redirectpath: pathOf(digest) })}`,
      label: text.signIn,
    },
    create_password: {
      lead: fill(text.createLead, { lead }),
      href: `/createpassword?digest=${digest}`,
      label: text.create,
    },
  };
  const way = ways[state];
  return (
    <>
      <PageHead heading={fill(text.heading, { organization })} lead={way.lead} />
      <Button kind="primary" wide href={way.href}>
        {way.label}
      </Button>
    </>
  );
}

/** This page again: the link itself, for its secret is no longer in the address bar. */
const pathOf = (digest: string) => `/invitation?digest=${digest}`;

type OtherProps = { invitation: Invitation; onSignedOut: () => Promise<void> };

/** Somebody else is signed in at this browser. */
function OtherAccount({ invitation, onSignedOut }: OtherProps) {
  const { organization, email, own = '' } = invitation;
  const { run, busy } = useCall(signIn.signOut);
  const leave = async () => {
    if (await run({})) await onSignedOut();
  };
  return (
    <>
      <PageHead heading={text.otherHeading} lead={fill(text.otherLead, { own, organization, email })} />
      <Button kind="primary" wide busy={busy} onClick={() => void leave()}>
        {text.signOut}
      </Button>
      <Button wide href="/">
        {text.stay}
      </Button>
    </>
  );
}

export const page: PublicPage = { title: text.title, View: InvitationPage };
