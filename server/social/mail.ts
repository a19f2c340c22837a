import type { ProviderName } from '#contract/social/calls.ts';
import { companyLinkText } from '#words/company-link.ts';
import { socialButtonsText } from '#words/social-buttons.ts';
import { mailText } from '#words/mail.ts';
import { noticeOf } from '#server/mail/frame.ts';

export const unlinkedNotice = (name: ProviderName) =>
  noticeOf('providers', mailText.unlinked, () => ({ provider: socialButtonsText.providers[name] }));
/** To the account's owner. `said` names the identity there, which may be somebody else's. */
export const linkedNotice = (name: ProviderName, said: string | null) =>
  noticeOf('providers', mailText.linked, () => ({
    provider: socialButtonsText.providers[name],
    identity: said ?? companyLinkText.noAddress,
  }));
