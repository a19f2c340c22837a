import { browserWords } from '#contract/browser-words.ts';
import { momentIn } from '#contract/dates.ts';
import type { Notice } from '#server/mail/frame.ts';
import { readUserAgent } from '#server/user-agent.ts';

export function newDeviceNotice(userAgent: string, at: Date): Notice {
  const browser = browserWords(readUserAgent(userAgent));
  return {
    subject: 'New sign-in to your account',
    paragraphs: [
      `Somebody signed in to your account with a browser we have not seen before: ${browser}, ${momentIn('UTC')(at)} UTC.`,
    ],
  };
}
