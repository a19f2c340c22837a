import { maskEmail } from '#contract/accounts/mask.ts';
import { mailText } from '#words/mail.ts';
import { mailOf } from '#server/mail/frame.ts';

export const newAddressMail = ({ host, origin }: URL) =>
  mailOf(mailText.newAddress, { host }, `${origin}/verifyemail?new=1&digest={{digest}}`);

/** To the owner of an address that another person requested, if the portal does not disclose accounts. */
export const addressTakenMail = ({ origin }: URL) => mailOf(mailText.addressTaken, {}, `${origin}/login`);

/** To the former address, before and after the change, with the link that undoes it. */
export function changeNotice({ origin }: URL, newEmail: string, done: boolean) {
  // Masked, because the reader of the former mailbox may be another person.
  const email = maskEmail(newEmail);
  const words = done ? mailText.addressChanged : mailText.addressChanges;
  return mailOf(words, { email }, `${origin}/restoreemail?digest={{digest}}`);
}
