import { queryOptions } from '@tanstack/react-query';
import { placeWords } from '#contract/profile/place-words.ts';
import { browserWords, UNKNOWN } from '#contract/sessions/browser-words.ts';
import { type Session, sessions } from '#contract/sessions/calls.ts';
import { sessionsText } from '#words/sessions.ts';
import { call } from '#web/lib/call.ts';

export const devicesQuery = queryOptions({
  queryKey: ['devices'],
  queryFn: () => call(sessions.list, {}),
  refetchOnWindowFocus: true,
});

export const deviceName = ({
  browserName: browser,
  systemName: system,
}: Pick<Session, 'browserName' | 'systemName'>) => browserWords({ browser, system }, sessionsText.browsers);

const nameOrUnknown = (name: string) => (name === UNKNOWN ? sessionsText.unknown : name);
const kinds: Readonly<Record<string, string>> = sessionsText.kinds;
/** A model, such as "iPad", stays. */
export const systemOf = ({ deviceName: name }: Session) => kinds[name] ?? nameOrUnknown(name);
export const placeOf = ({ location }: Session) => nameOrUnknown(placeWords(location));
