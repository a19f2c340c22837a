import { spokenLanguage } from '#words/language.ts';
import { mailText } from '#words/mail.ts';
import { mailOf, noticeOf } from '#server/mail/frame.ts';

/** The link to choose a new password. A person without a password is also told which providers they use. */
export function resetMail({ origin }: URL, names: readonly string[]) {
  const url = `${origin}/resetpassword?digest={{digest}}`;
  if (names.length === 0) return mailOf(mailText.reset, {}, url);
  const providers = new Intl.ListFormat(spokenLanguage.locale, { type: 'disjunction' }).format(names);
  return mailOf(mailText.resetWithoutPassword, { providers }, url);
}

export const passwordNotice = noticeOf('credentials', mailText.passwordReset, {});
