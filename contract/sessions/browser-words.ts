import { browserText } from '#contract/text/browser.ts';
import { fill } from '#contract/text.ts';

export const UNKNOWN = 'Unknown';

type Named = { readonly browser: string; readonly system: string };
type Words = { readonly on: `${string}{browser}${string}{system}`; readonly unknown: string };

/** A browser and its system in words, without the unknown parts. The default words fit into a sentence. */
export function browserWords({ browser: name, system }: Named, { on, unknown }: Words = browserText): string {
  const browser = name === UNKNOWN ? unknown : name;
  return system === UNKNOWN ? browser : fill(on, { browser, system });
}
