import { MEMBER_STATUS, type MemberStatus } from '#contract/members.ts';
import { frame } from '#server/mail/frame.ts';
import type { MailContent } from '#server/mail/outbox.ts';

const footer = (organization: string) =>
  `You get this mail because you are a member of ${organization}. Its admins decide who may do what there.`;
const signIn = (publicUrl: URL) => ({ label: 'Sign in', url: `${publicUrl.origin}/login` });

export const roleChangedMail = (publicUrl: URL, organization: string, role: string): MailContent =>
  frame({
    subject: `Your role in ${organization} has changed`,
    paragraphs: [`In ${organization} you have the role ${role} from now on.`],
    action: signIn(publicUrl),
    footer: footer(organization),
  });

/** The organization is closed to somebody for a while or for good, or open to them again. */
export function statusChangedMail(publicUrl: URL, organization: string, status: MemberStatus): MailContent {
  if (status === MEMBER_STATUS.active)
    return frame({
      subject: `You have access to ${organization} again`,
      paragraphs: [`${organization} is open to you again.`],
      action: signIn(publicUrl),
      footer: footer(organization),
    });
  const words =
    status === MEMBER_STATUS.disabled
      ? { subject: `Your access to ${organization} was disabled`, what: 'was disabled' }
      : { subject: `Your access to ${organization} is paused`, what: 'is paused' };
  return frame({
    subject: words.subject,
    paragraphs: [
      `Your access to ${organization} ${words.what} by one of its admins. Your account and your other organizations stay as they are.`,
    ],
    footer: footer(organization),
  });
}

export const removedMail = (organization: string): MailContent =>
  frame({
    subject: `You are no longer a member of ${organization}`,
    paragraphs: [
      `One of the admins of ${organization} has ended your membership. Your account and your other organizations stay as they are.`,
    ],
    footer: `If you think this is a mistake, please ask the admins of ${organization}.`,
  });
