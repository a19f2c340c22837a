import { mailText } from '#contract/text/mails.ts';
import { noticeOf } from '#server/mail/frame.ts';

export const connectedNotice = (application: string, access: string) =>
  noticeOf('applications', mailText.connected, { application, access });
