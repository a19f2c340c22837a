import { secondStepMailText as mailText } from '#words/second-step-mail.ts';
import { noticeOf } from '#server/mail/frame.ts';

export const passkeyAddedNotice = (name: string) => noticeOf('twoStep', mailText.passkeyAdded, { name });
export const passkeyRemovedNotice = (name: string) => noticeOf('twoStep', mailText.passkeyRemoved, { name });
