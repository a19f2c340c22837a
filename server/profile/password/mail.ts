import { mailText } from '#words/mail.ts';
import { noticeOf } from '#server/mail/frame.ts';

export const passwordNotice = noticeOf('credentials', mailText.passwordChanged, {});
