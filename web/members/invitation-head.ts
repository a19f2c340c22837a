import { invitationText as text } from '#words/invitation.ts';
import { linkText } from '#words/link.ts';
import type { LinkProblem, Invitation } from './use-invitation.ts';

export type Step = 'answer' | 'decline' | 'declined';

const deadHeads: Record<LinkProblem, { heading: string; lead: string }> = {
  missing: { heading: linkText.missing, lead: text.missingLead },
  used: { heading: text.usedHeading, lead: text.usedLead },
  expired: { heading: text.expiredHeading, lead: text.expiredLead },
  failed: { heading: text.failedHeading, lead: text.failedLead },
};

export function headOf(invitation: Invitation | LinkProblem | undefined, step: Step) {
  if (invitation === undefined) return { heading: text.title, lead: text.checking };
  if (typeof invitation === 'string') return deadHeads[invitation];
  const { invitedBy: inviter, organization, role, email, ownEmail, state } = invitation;
  if (state === 'other_account')
    return { heading: text.otherHeading, lead: text.otherLead({ own: ownEmail, organization, email }) };
  if (step === 'decline')
    return { heading: text.declineHeading, lead: text.declineLead({ inviter, organization }) };
  if (step === 'declined')
    return { heading: text.declinedHeading, lead: text.declinedLead({ inviter, organization }) };
  const heading = text.heading({ organization });
  const lead = text.lead({ inviter, organization, role });
  if (state === 'sign_in') return { heading, lead: text.signInLead({ lead, email }) };
  return { heading, lead: state === 'open' ? lead : text.createLead({ lead }) };
}
