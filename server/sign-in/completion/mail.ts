import { browserWords } from '#contract/sessions/browser-words.ts';
import { momentIn } from '#contract/dates.ts';
import { mailText } from '#words/mail.ts';
import { noticeOf } from '#server/mail/frame.ts';
import { readUserAgent } from '#server/user-agent.ts';

export const newDeviceNotice = (userAgent: string, at: Date) =>
  noticeOf('newDevice', mailText.newDevice, () => ({
    browser: browserWords(readUserAgent(userAgent)),
    moment: momentIn('UTC')(at),
  }));
