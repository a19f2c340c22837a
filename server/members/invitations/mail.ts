import { fill } from '#contract/text.ts';
import { mailText } from '#contract/text/mails.ts';
import { mailOf } from '#server/mail/frame.ts';

type Invited = {
  readonly organization: string;
  readonly role: string;
  readonly inviter: string;
  /** A person who never opened their account chooses their first password with the link. */
  readonly hasOpenedAccount: boolean;
  /** How long the link works. */
  readonly days: number;
};

export function invitationMail({ origin }: URL, { hasOpenedAccount, days, ...names }: Invited) {
  const words = hasOpenedAccount ? mailText.invitationToAccount : mailText.invitation;
  const page = hasOpenedAccount ? 'invitation' : 'createpassword';
  const time = days === 1 ? mailText.oneDay : fill(mailText.days, { days });
  return mailOf(words, { ...names, time }, `${origin}/${page}?digest={{digest}}`);
}
