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

/** Of a browser it does not know Bowser repeats what it says of itself: any words, in mails to the owner of an account. */
const known = (names: ReadonlySet<string>, name = '') => (names.has(name) ? name : UNKNOWN);

type Named = { readonly browser: string; readonly system: string; readonly device: string };
/** People share a few hundred browsers, and to read one takes as long as a query. */
const KEPT_MAX = 1000;
const kept = new Map<string, Named>();

/** Browser, system and device as a person would name them; browsers freeze system versions, so none is shown. */
export function readUserAgent(userAgent: string): Named {
  const known = kept.get(userAgent);
  if (known) return known;
  // Whoever makes up a thousand of them has the others read anew, no more.
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
