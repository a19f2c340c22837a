import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { MEMBER_STATUS } from '#contract/members/calls.ts';
import type { ClosedOrganization } from '#contract/organizations/calls.ts';
import { organizationText as text } from '#words/organization.ts';
import type { User } from '#contract/profile/user.ts';
import { Button } from '#web/ui/button.tsx';
import { late } from '#web/ui/late.tsx';
import { focusFirst } from '#web/ui/focus-first.ts';
import { Notice } from '#web/ui/notice.tsx';
import { Card, Notices, PageHeader } from '#web/ui/sections.tsx';
import { leaveFor } from '#web/lib/navigate.ts';
import { joinOfferQuery } from './join-offer-query.ts';
import { OnboardingFields } from './onboarding-fields.tsx';
import { type PendingInvitation, PendingInvitations } from './pending-invitations.tsx';
import { useOnboarding } from './use-onboarding.ts';

const JoinOffer = late(async () => (await import('./join-offer.tsx')).JoinOffer);

type Props = {
  user: User;
  /** The person's organizations that are closed to them, with the reason. */
  closed: readonly ClosedOrganization[];
  toAccount: ReactNode;
  invitations: readonly PendingInvitation[];
  onAnswered: () => void;
  onCreated: () => Promise<void>;
};

export function OnboardingPage({ user, closed, toAccount, invitations, onAnswered, onCreated }: Props) {
  const form = useOnboarding(user, onCreated);
  const { data: offer } = useQuery(joinOfferQuery);
  const hasOther = closed.length > 0 || invitations.length > 0 || Boolean(offer);
  const enter = (urlName: string) => leaveFor(`/${urlName}`);
  const create = (
    <Button kind={closed.length > 0 ? 'plain' : 'primary'} type="submit" busy={form.busy}>
      {text.create}
    </Button>
  );
  return (
    <>
      <PageHeader
        title={text.onboardingTitle}
        lead={closed.length > 0 ? text.closedLead : text.onboardingLead}
        actions={closed.length > 0 && toAccount}
      />
      {closed.length > 0 && (
        <Notices>
          {closed.map(({ id, name, status, isByDirectory }) => {
            const isPaused = status === MEMBER_STATUS.inactive;
            const ask = isPaused ? text.pausedAsk : text.disabledAsk;
            return (
              <Notice key={id} kind="warning" title={(isPaused ? text.paused : text.disabled)({ name })}>
                {isByDirectory ? text.directoryAsk : ask}
              </Notice>
            );
          })}
        </Notices>
      )}
      {invitations.length > 0 && (
        <Card>
          <PendingInvitations invitations={invitations} onJoined={enter} onDeclined={onAnswered} />
        </Card>
      )}
      {offer && (
        <Card>
          <JoinOffer offer={offer} onJoined={enter} />
        </Card>
      )}
      <form {...form.props}>
        <Card {...(hasOther && { title: text.ownInstead })} foot={create}>
          <OnboardingFields form={form} user={user} ref={hasOther ? undefined : focusFirst} />
        </Card>
      </form>
    </>
  );
}
