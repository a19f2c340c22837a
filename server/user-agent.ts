import Bowser from 'bowser';
import { UNKNOWN } from '#contract/sessions/browser-words.ts';

const browsers = new Set(Object.values(Bowser.BROWSER_MAP));
const systems = new Set(Object.values(Bowser.OS_MAP));

const deviceNames = new Map([
  ['desktop', 'Desktop'],
  ['mobile', 'Mobile'],
  ['tablet', 'Tablet'],
  ['tv', 'TV'],
]);

/** For an unknown browser Bowser returns the client's own text, which must not reach our mails. */
const nameIn = (names: ReadonlySet<string>, name = '') => (names.has(name) ? name : UNKNOWN);

type ClientNames = { readonly browser: string; readonly system: string; readonly device: string };
/** People share a few hundred browsers, and parsing one takes as long as a query. */
const CACHE_MAX = 1000;
const cache = new Map<string, ClientNames>();

/** Browser, system and device by their common names. No system versions, because browsers freeze them. */
export function readUserAgent(userAgent: string): ClientNames {
  const cached = cache.get(userAgent);
  if (cached) return cached;
  if (cache.size >= CACHE_MAX) cache.clear();
  const names = parse(userAgent);
  cache.set(userAgent, names);
  return names;
}

function parse(userAgent: string): ClientNames {
  if (userAgent === '') return { browser: UNKNOWN, system: UNKNOWN, device: UNKNOWN };
  const { browser, os, platform } = Bowser.parse(userAgent);
  return {
    browser: nameIn(browsers, browser.name),
    system: nameIn(systems, os.name),
    device: platform.model ?? deviceNames.get(platform.type ?? '') ?? UNKNOWN,
  };
}
