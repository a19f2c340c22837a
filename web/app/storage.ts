import { storedText } from '#web/lib/stored-text.ts';

export const rememberedSegment = storedText(() => localStorage, 'segment');

/** The layout around the last page, so that the skeleton looks the same. */
const shell = storedText(() => localStorage, 'shell');

export const rememberShell = ({ menu, banner }: { menu: boolean; banner: boolean }) =>
  shell.keep(`${menu ? 'menu' : ''} ${banner ? 'banner' : ''}`);

/** By default, assume an organization and a confirmed address. */
export function rememberedShell() {
  const words = (shell.read() ?? 'menu').split(' ');
  return { menu: words.includes('menu'), banner: words.includes('banner') };
}
/** The language for which the area has loaded again, at most once. */
export const reloadedFor = storedText(() => sessionStorage, 'reloaded-for');
