import type { ProviderName } from '#contract/social/calls.ts';
import { spokenLanguage } from '#words/language.ts';
import { socialButtonsText } from '#words/social-buttons.ts';
import { mailText } from '#words/mail.ts';
import { fillWords, letterOf, mailOf, noticeOf } from '#server/mail/frame.ts';

type Company = { readonly organization: string; readonly urlName: string };
const resetPage = (origin: string, isFirst: boolean) =>
  `${origin}/resetpassword?digest={{digest}}${isFirst ? '&first=true' : ''}`;

/** The link to choose a new password, or a first one: then its page shows the terms. A person without a password is also told which providers they use. */
export function resetMail({ origin }: URL, providers: readonly ProviderName[], isFirst: boolean) {
  const url = resetPage(origin, isFirst);
  if (providers.length === 0) return mailOf(mailText.reset, {}, url);
  const inWords = () => {
    const names = providers.map((name) => socialButtonsText.providers[name]);
    return new Intl.ListFormat(spokenLanguage.locale, { type: 'disjunction' }).format(names);
  };
  return mailOf(mailText.resetWithoutPassword, () => ({ providers: inWords() }), url);
}

/** For a person who signs in through their company. A password serves them only for the cases that the mail names. */
export function resetOfCompanyMail({ origin }: URL, { organization, urlName }: Company, isFirst: boolean) {
  const write = fillWords(mailText.resetOfCompany, { organization });
  const page = () => ({ label: mailText.resetOfCompany.page, url: resetPage(origin, isFirst) });
  return letterOf(() => ({ ...write(), page: page() }), `${origin}/login?company=${urlName}`);
}

export const passwordNotice = noticeOf('credentials', mailText.passwordReset, {});
