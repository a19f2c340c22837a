import Bowser from 'bowser';
import { UNKNOWN } from '#contract/browser-words.ts';

const browsers = new Set(Object.values(Bowser.BROWSER_MAP));
const systems = new Set(Object.values(Bowser.OS_MAP));

const deviceNames = new Map([
  ['desktop', 'Desktop'],
  ['mobile', 'Mobile'],
  ['tablet', 'Tablet'],
  ['tv', 'TV'],
]);

/** For an unknown browser Bowser returns the client's own text, which must not get into mails to an owner. */
const known = (names: ReadonlySet<string>, name = '') => (names.has(name) ? name : UNKNOWN);

type Named = { readonly browser: string; readonly system: string; readonly device: string };
/** People share a few hundred browsers, and parsing one takes as long as a query. */
const KEPT_MAX = 1000;
const kept = new Map<string, Named>();

/** Browser, system and device by their common names. No system versions, because browsers freeze them. */
export function readUserAgent(userAgent: string): Named {
  const known = kept.get(userAgent);
  if (known) return known;
  // A thousand made-up user agents only make the others be parsed again.
  if (kept.size >= KEPT_MAX) kept.clear();
  const named = read(userAgent);
  kept.set(userAgent, named);
  return named;
}

function read(userAgent: string): Named {
  if (userAgent === '') return { browser: UNKNOWN, system: UNKNOWN, device: UNKNOWN };
  const { browser, os, platform } = Bowser.parse(userAgent);
  return {
    browser: known(browsers, browser.name),
    system: known(systems, os.name),
    device: platform.model ?? deviceNames.get(platform.type ?? '') ?? UNKNOWN,
  };
}
