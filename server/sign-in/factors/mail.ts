import { secondStepMailText as mailText } from '#words/second-step-mail.ts';
import { noticeOf } from '#server/mail/frame.ts';

export const copiedPasskeyNotice = noticeOf('twoStep', mailText.passkeyCopied, {});

export const usedRecoveryCodeNotice = (left: number) =>
  left === 0
    ? noticeOf('twoStep', mailText.lastRecoveryCodeUsed, {})
    : noticeOf('twoStep', mailText.recoveryCodeUsed, { left });
