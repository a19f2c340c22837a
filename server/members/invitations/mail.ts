import { mailText } from '#words/mail.ts';
import { mailOf } from '#server/mail/frame.ts';

type Invited = {
  readonly organization: string;
  readonly role: string;
  readonly inviter: string;
  /** A person who never opened their account chooses their first password with the link. */
  readonly hasOpenedAccount: boolean;
  readonly days: number;
};

export function invitationMail({ origin }: URL, { hasOpenedAccount, ...values }: Invited) {
  const words = hasOpenedAccount ? mailText.invitationToAccount : mailText.invitation;
  const page = hasOpenedAccount ? 'invitation' : 'createpassword';
  return mailOf(words, values, `${origin}/${page}?digest={{digest}}`);
}
