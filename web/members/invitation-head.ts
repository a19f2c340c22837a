import { INVITATION_DAYS } from '#contract/limits.ts';
import { invitationText as text } from '#contract/text/invitation.ts';
import { linkText } from '#contract/text/links.ts';
import { fill } from '#contract/text.ts';
import type { LinkProblem, Invitation } from './use-invitation.ts';

export type Step = 'answer' | 'decline' | 'declined';

const deadHeads: Record<LinkProblem, { heading: string; lead: string }> = {
  missing: { heading: linkText.missing, lead: text.missingLead },
  used: { heading: text.usedHeading, lead: text.usedLead },
  expired: { heading: text.expiredHeading, lead: fill(text.expiredLead, { days: INVITATION_DAYS }) },
  failed: { heading: text.failedHeading, lead: text.failedLead },
};

export function headOf(invitation: Invitation | LinkProblem | undefined, step: Step) {
  if (invitation === undefined) return { heading: text.title, lead: text.checking };
  if (typeof invitation === 'string') return deadHeads[invitation];
  const { invitedBy: inviter, organization, role, email, ownEmail, state } = invitation;
  if (state === 'other_account')
    return { heading: text.otherHeading, lead: fill(text.otherLead, { own: ownEmail, organization, email }) };
  if (step === 'decline')
    return { heading: text.declineHeading, lead: fill(text.declineLead, { inviter, organization }) };
  if (step === 'declined')
    return { heading: text.declinedHeading, lead: fill(text.declinedLead, { inviter, organization }) };
  const heading = fill(text.heading, { organization });
  const lead = fill(text.lead, { inviter, organization, role });
  if (state === 'sign_in') return { heading, lead: fill(text.signInLead, { lead, email }) };
  return { heading, lead: state === 'open' ? lead : fill(text.createLead, { lead }) };
}
