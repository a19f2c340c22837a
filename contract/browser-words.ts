import { browserText } from '#contract/text/browser.ts';
import { fill } from '#contract/text.ts';

/** What browsers, systems and places are called that nobody can name. */
export const UNKNOWN = 'Unknown';

type Named = { readonly browser: string; readonly system: string };
type Words = { readonly on: `${string}{browser}${string}{system}`; readonly unknown: string };

/** A browser and its system, as far as they are known; as a sentence names them unless other words are given. */
export function browserWords({ browser: name, system }: Named, { on, unknown }: Words = browserText): string {
  const browser = name === UNKNOWN ? unknown : name;
  return system === UNKNOWN ? browser : fill(on, { browser, system });
}
