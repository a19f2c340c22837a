import { mailText } from '#contract/text/mails.ts';
import { noticeOf } from '#server/mail/frame.ts';

export const unlinkedNotice = (provider: string) => noticeOf('providers', mailText.unlinked, { provider });
export const linkedNotice = (provider: string) => noticeOf('providers', mailText.linked, { provider });
