import { secondStepMailText as mailText } from '#words/second-step-mail.ts';
import { noticeOf } from '#server/mail/frame.ts';

export const appAddedNotice = noticeOf('twoStep', mailText.authenticatorAdded, {});
export const appRemovedNotice = noticeOf('twoStep', mailText.authenticatorRemoved, {});
