import { fill } from '#contract/text.ts';
import { mailText } from '#contract/text/mails.ts';
import { mailOf, noticeOf } from '#server/mail/frame.ts';

/** The link to choose a new password. A person without a password is also told which providers they use. */
export function resetMail({ origin }: URL, names: readonly string[]) {
  const url = `${origin}/resetpassword?digest={{digest}}`;
  if (names.length === 0) return mailOf(mailText.reset, {}, url);
  const providers = names.reduce((one, other) => fill(mailText.providers, { one, other }));
  return mailOf(mailText.resetWithoutPassword, { providers }, url);
}

export const passwordNotice = noticeOf('credentials', mailText.passwordReset, {});
