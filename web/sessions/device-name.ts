import type { Session } from '#contract/sessions.ts';
import { sessionsText as text } from '#contract/text/sessions.ts';
import { fill } from '#contract/text.ts';

/** What a device is called: "Chrome On Windows". */
export const deviceName = ({ browserName: browser, systemName: system }: Session) =>
  fill(text.browserOn, { browser, system });
