import { mailText } from '#words/mail.ts';
import { secondStepMailText as text } from '#words/second-step-mail.ts';
import { noticeOf } from '#server/mail/frame.ts';

export const appAddedNotice = noticeOf('twoStep', text.authenticatorAdded, {});
export const appRemovedNotice = noticeOf('twoStep', text.authenticatorRemoved, {});
export const passkeyAddedNotice = (name: string) => noticeOf('twoStep', text.passkeyAdded, { name });
export const passkeyRemovedNotice = (name: string) => noticeOf('twoStep', text.passkeyRemoved, { name });
export const copiedPasskeyNotice = noticeOf('twoStep', text.passkeyCopied, {});
export const recoveryCodesNotice = noticeOf('twoStep', text.recoveryCodesRenewed, {});
export const usedRecoveryCodeNotice = (left: number) =>
  left === 0
    ? noticeOf('twoStep', text.lastRecoveryCodeUsed, {})
    : noticeOf('twoStep', text.recoveryCodeUsed, { left });
export const twoStepNotice = (on: boolean) =>
  noticeOf('twoStep', on ? mailText.twoStepOn : mailText.twoStepOff, {});
