import { MEMBER_STATUS, type MemberStatus } from '#contract/members/calls.ts';
import type { OrgId } from '#contract/wire.ts';
import { mailText } from '#words/mail.ts';
import { mailOf } from '#server/mail/frame.ts';

type Organization = { readonly orgId: OrgId; readonly organization: string };

export const roleChangedMail = ({ origin }: URL, { orgId, organization }: Organization, role: string) =>
  mailOf(mailText.roleChanged, { organization, role }, `${origin}/${orgId}`);

export function statusChangedMail(
  { origin }: URL,
  { orgId, organization }: Organization,
  status: MemberStatus,
) {
  if (status === MEMBER_STATUS.active)
    return mailOf(mailText.accessAgain, { organization }, `${origin}/${orgId}`);
  const isDisabled = status === MEMBER_STATUS.disabled;
  return mailOf(isDisabled ? mailText.accessDisabled : mailText.accessPaused, { organization });
}

export const removedMail = (organization: string) => mailOf(mailText.removed, { organization });
