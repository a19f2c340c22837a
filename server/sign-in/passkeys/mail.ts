import { secondStepMailText as mailText } from '#contract/text/second-step-mails.ts';
import { noticeOf } from '#server/mail/frame.ts';

export const passkeyAddedNotice = (name: string) => noticeOf('twoStep', mailText.passkeyAdded, { name });
export const passkeyRemovedNotice = (name: string) => noticeOf('twoStep', mailText.passkeyRemoved, { name });
