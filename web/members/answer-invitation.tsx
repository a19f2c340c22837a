import { useState } from 'react';
import { members } from '#contract/members.ts';
import { invitationText as text } from '#contract/text/invitation.ts';
import { fill } from '#contract/text.ts';
import { pendingEmail } from '#web/lib/kept.ts';
import { leaveFor } from '#web/lib/navigate.ts';
import { PageHead } from '#web/lib/page-head.tsx';
import { useCall } from '#web/lib/use-call.ts';
import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import type { Invitation } from './use-invitation.ts';

type Props = {
  digest: string;
  invitation: Invitation;
  /** It does not stand any more: it is looked up again, which tells why. */
  onRefused: () => Promise<void>;
};

/** Joins, or declines after asking once. */
export function AnswerInvitation({ digest, invitation, onRefused }: Props) {
  const { organization, role, invitedBy: inviter, email } = invitation;
  const [step, setStep] = useState<'answer' | 'decline' | 'declined'>('answer');
  const [unconfirmed, setUnconfirmed] = useState(false);
  const [leaving, setLeaving] = useState(false);
  const refused = () => void onRefused();
  const { run, busy } = useCall(members.answer, {
    digest_invalid: refused,
    digest_expired: refused,
    not_allowed: refused,
    not_signed_in: refused,
    account_not_confirmed: () => {
      pendingEmail.keep(email);
      setStep('answer');
      setUnconfirmed(true);
    },
  });
  const join = async () => {
    const joined = await run({ digest, accept: true });
    if (!joined) return;
    setLeaving(true);
    await leaveFor(`/${joined.urlName ?? ''}`, { replace: true });
  };
  const decline = async () => {
    if (await run({ digest, accept: false })) setStep('declined');
  };
  if (step === 'declined')
    return (
      <>
        <PageHead heading={text.declinedHeading} lead={fill(text.declinedLead, { inviter, organization })} />
        <Button kind="primary" wide href="/">
          {text.goOn}
        </Button>
      </>
    );
  if (step === 'decline')
    return (
      <>
        <PageHead heading={text.declineHeading} lead={fill(text.declineLead, { inviter, organization })} />
        <Button kind="danger" wide busy={busy} onClick={() => void decline()}>
          {text.declineAct}
        </Button>
        <Button wide disabled={busy} onClick={() => setStep('answer')}>
          {text.back}
        </Button>
      </>
    );
  return (
    <>
      <PageHead
        heading={fill(text.heading, { organization })}
        lead={fill(text.lead, { inviter, organization, role })}
      />
      {unconfirmed && (
        <Notice kind="warning" announce action={<a href="/verifyaccount">{text.confirm}</a>}>
          {text.confirmFirst}
        </Notice>
      )}
      <Button kind="primary" wide busy={busy || leaving} onClick={() => void join()}>
        {text.join}
      </Button>
      <Button wide disabled={busy || leaving} onClick={() => setStep('decline')}>
        {text.decline}
      </Button>
    </>
  );
}
