import type { ProviderName } from '#contract/social/calls.ts';
import { socialButtonsText } from '#words/social-buttons.ts';
import { mailText } from '#words/mail.ts';
import { noticeOf } from '#server/mail/frame.ts';

export const unlinkedNotice = (name: ProviderName) =>
  noticeOf('providers', mailText.unlinked, () => ({ provider: socialButtonsText.providers[name] }));
export const linkedNotice = (name: ProviderName) =>
  noticeOf('providers', mailText.linked, () => ({ provider: socialButtonsText.providers[name] }));
