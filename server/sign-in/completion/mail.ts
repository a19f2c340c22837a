import { browserWords } from '#contract/sessions/browser-words.ts';
import { zonedMomentIn } from '#contract/dates.ts';
import { mailText } from '#words/mail.ts';
import { noticeOf } from '#server/mail/frame.ts';
import { readUserAgent } from '#server/user-agent.ts';

export const newDeviceNotice = (userAgent: string, at: Date, timeZone: string | null) =>
  noticeOf('newDevice', mailText.newDevice, () => ({
    browser: browserWords(readUserAgent(userAgent)),
    moment: zonedMomentIn(timeZone)(at),
  }));
