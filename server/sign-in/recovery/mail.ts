import type { ProviderName } from '#contract/social/calls.ts';
import { spokenLanguage } from '#words/language.ts';
import { socialButtonsText } from '#words/social-buttons.ts';
import { mailText } from '#words/mail.ts';
import { mailOf, noticeOf } from '#server/mail/frame.ts';

/** The link to choose a new password, or a first one: then its page shows the terms. A person without a password is also told which providers they use. */
export function resetMail({ origin }: URL, providers: readonly ProviderName[], isFirst: boolean) {
  const url = `${origin}/resetpassword?digest={{digest}}${isFirst ? '&first=true' : ''}`;
  if (providers.length === 0) return mailOf(mailText.reset, {}, url);
  const inWords = () => {
    const names = providers.map((name) => socialButtonsText.providers[name]);
    return new Intl.ListFormat(spokenLanguage.locale, { type: 'disjunction' }).format(names);
  };
  return mailOf(mailText.resetWithoutPassword, () => ({ providers: inWords() }), url);
}

export const passwordNotice = noticeOf('credentials', mailText.passwordReset, {});
