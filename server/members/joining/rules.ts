import { refusalText } from '#words/rules/refusal.ts';

export const invitationGone = { details: refusalText.invitationGone };
export const invitationExpired = { details: refusalText.invitationOutOfDate };
export const notYours = { details: refusalText.invitationNotYours };
export const hasAccount = { details: refusalText.hasAccount };
export const linkNeeded = { details: refusalText.linkNeeded };

/** Whether only the mailed link can accept, because the person has not proven the mailbox since that mail. */
export const needsLink = ({ provenAt, mailedAt }: { provenAt: Date | null; mailedAt: Date }) =>
  provenAt === null || provenAt < mailedAt;

export function stateOf(
  person: { readonly userId: number; readonly hasOpenedAccount: boolean },
  callerId: number | undefined,
): 'open' | 'sign_in' | 'create_password' | 'other_account' {
  if (callerId === person.userId) return 'open';
  if (callerId !== undefined) return 'other_account';
  return person.hasOpenedAccount ? 'sign_in' : 'create_password';
}
