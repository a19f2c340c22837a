import { frame } from '#server/mail/frame.ts';
import type { MailContent } from '#server/mail/outbox.ts';

/** To whoever invited somebody who would rather not. */
export const declinedMail = (organization: string, name: string): MailContent =>
  frame({
    subject: `An invitation to ${organization} was declined`,
    paragraphs: [`${name} has declined your invitation to ${organization}. The seat is free again.`],
    footer: `You get this mail because you sent the invitation.`,
  });
