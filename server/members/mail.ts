import { MEMBER_STATUS, type MemberStatus } from '#contract/members/calls.ts';
import { mailText } from '#contract/text/mails.ts';
import { mailOf } from '#server/mail/frame.ts';

export const roleChangedMail = ({ origin }: URL, organization: string, role: string) =>
  mailOf(mailText.roleChanged, { organization, role }, `${origin}/login`);

export function statusChangedMail({ origin }: URL, organization: string, status: MemberStatus) {
  if (status === MEMBER_STATUS.active)
    return mailOf(mailText.accessAgain, { organization }, `${origin}/login`);
  const isDisabled = status === MEMBER_STATUS.disabled;
  return mailOf(isDisabled ? mailText.accessDisabled : mailText.accessPaused, { organization });
}

export const removedMail = (organization: string) => mailOf(mailText.removed, { organization });
