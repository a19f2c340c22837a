import Bowser from 'bowser';

const UNKNOWN = 'Unknown';

/** Browser, system and device as a person would name them; browsers freeze system versions, so none is shown. */
export function readUserAgent(userAgent: string) {
  if (userAgent === '') return { browser: UNKNOWN, system: UNKNOWN, device: UNKNOWN };
  const { browser, os, platform } = Bowser.parse(userAgent);
  return {
    browser: browser.name ?? UNKNOWN,
    system: os.name ?? UNKNOWN,
    device: platform.model ?? platform.type ?? UNKNOWN,
  };
}
