import { browserWords } from '#contract/sessions/browser-words.ts';
import type { Session } from '#contract/sessions/calls.ts';
import { sessionsText } from '#contract/text/sessions.ts';

/** The name of a device: "Chrome On Windows". */
export const deviceName = ({
  browserName: browser,
  systemName: system,
}: Pick<Session, 'browserName' | 'systemName'>) => browserWords({ browser, system }, sessionsText.browsers);
