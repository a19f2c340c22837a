import { useState } from 'react';
import { members } from '#contract/members/calls.ts';
import { invitationText as text } from '#words/invitation.ts';
import { pendingEmail } from '#web/lib/stored-text.ts';
import { leaveFor } from '#web/lib/navigate.ts';
import { useCall } from '#web/lib/use-call.ts';
import { Button } from '#web/ui/button.tsx';
import { WideLink } from '#web/public-pages/page-form.tsx';
import { Notice } from '#web/ui/notice.tsx';
import type { Step } from './invitation-head.ts';
import { personChangedClaims } from './use-invitation.ts';

type Props = {
  digest: string;
  email: string;
  step: Step;
  onStep: (step: Step) => void;
  /** The invitation is no longer valid. Fetching it again tells why. */
  onRefused: () => void;
};

export function AnswerInvitation({ digest, email, step, onStep, onRefused }: Props) {
  const [unconfirmed, setUnconfirmed] = useState(false);
  const [leaving, setLeaving] = useState(false);
  const call = useCall(members.answer, {
    digest_invalid: onRefused,
    digest_expired: onRefused,
    not_allowed: onRefused,
    ...personChangedClaims(onRefused),
    account_not_confirmed: () => {
      pendingEmail.keep(email);
      onStep('answer');
      setUnconfirmed(true);
    },
  });
  const busy = call.busy || leaving;
  const join = async () => {
    const reply = await call.run({ digest, accept: true });
    if (!reply) return;
    setLeaving(true);
    await leaveFor(`/${reply.urlName ?? ''}`, { replace: true });
  };
  const decline = async () => {
    if (await call.run({ digest, accept: false })) onStep('declined');
  };
  if (step === 'declined') return <WideLink href="/">{text.goOn}</WideLink>;
  if (step === 'decline')
    return (
      <>
        <Button kind="danger" wide busy={busy} onClick={() => void decline()}>
          {text.declineAct}
        </Button>
        <Button wide disabled={busy} onClick={() => onStep('answer')}>
          {text.back}
        </Button>
      </>
    );
  return (
    <>
      {unconfirmed && (
        <Notice kind="warning" announce action={<a href="/verifyaccount">{text.confirm}</a>}>
          {text.confirmFirst}
        </Notice>
      )}
      <Button kind="primary" wide busy={busy} onClick={() => void join()}>
        {text.join}
      </Button>
      <Button wide disabled={busy} onClick={() => onStep('decline')}>
        {text.decline}
      </Button>
    </>
  );
}
