import { browserText } from '#words/browser.ts';

export const UNKNOWN = 'Unknown';

type Named = { readonly browser: string; readonly system: string };
type Words = typeof browserText;

/** A browser and its system in words, without the unknown parts. The default words fit into a sentence. */
export function browserWords({ browser: name, system }: Named, { on, unknown }: Words = browserText): string {
  const browser = name === UNKNOWN ? unknown : name;
  return system === UNKNOWN ? browser : on({ browser, system });
}
