import { mailText } from '#contract/text/mails.ts';
import { noticeOf } from '#server/mail/frame.ts';

export const appAddedNotice = noticeOf('twoStep', mailText.authenticatorAdded, {});
export const appRemovedNotice = noticeOf('twoStep', mailText.authenticatorRemoved, {});
