import type { Notice } from '#server/mail/frame.ts';
import { readUserAgent } from '#server/user-agent.ts';

export function newDeviceNotice(userAgent: string, at: Date): Notice {
  const { browser, system } = readUserAgent(userAgent);
  const when = new Intl.DateTimeFormat('en', {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone: 'UTC',
  }).format(at);
  return {
    subject: 'New sign-in to your account',
    paragraphs: [
      `Somebody signed in to your account with a browser we have not seen before: ${browser} on ${system}, ${when} UTC.`,
    ],
  };
}
