import type { Session } from '#contract/sessions.ts';
import { sessionsText as text } from '#contract/text/sessions.ts';
import { fill } from '#contract/text.ts';

const UNKNOWN = 'Unknown';

/** What a device is called: "Chrome On Windows". */
export const deviceName = ({ browserName: browser, systemName: system }: Session) =>
  browser === UNKNOWN && system === UNKNOWN ? text.unknownBrowser : fill(text.browserOn, { browser, system });
