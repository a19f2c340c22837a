import { PRODUCT_NAME } from '#contract/limits.ts';
import { frame } from '#server/mail/frame.ts';
import type { MailContent } from '#server/mail/outbox.ts';

/** Mail programs make links of whatever reads like an address; a stranger's name in a first mail is not to become one. */
const unlinked = (words: string) => words.replace(/[.:/@](?=\S)/g, '$&\u200B');

type Invited = {
  readonly organization: string;
  readonly role: string;
  readonly inviter: string;
  /** Whether the person has an account already; others choose their first password with the link. */
  readonly hasCome: boolean;
  /** How long the link serves. */
  readonly days: number;
};

export function invitationMail(publicUrl: URL, invited: Invited): MailContent {
  const [organization, role, inviter] = [invited.organization, invited.role, invited.inviter].map(unlinked);
  const way = invited.hasCome
    ? {
        label: 'See the invitation',
        page: 'invitation',
        words: 'Sign in with this address to join or decline.',
      }
    : { label: 'Join', page: 'createpassword', words: 'Choose a password, and you are in.' };
  return frame({
    subject: `You are invited to ${organization}`,
    paragraphs: [
      `${inviter} invites you to join ${organization} on ${PRODUCT_NAME} as ${role}. ${way.words}`,
      `The link works once and for ${invited.days === 1 ? 'one day' : `${invited.days} days`}.`,
    ],
    action: { label: way.label, url: `${publicUrl.origin}/${way.page}?digest={{digest}}` },
    footer: `If you do not know ${inviter} or ${organization}, do nothing: without you nobody joins.`,
  });
}
