import { kept } from '#web/lib/kept.ts';
import { isToConfirm, type Session } from './session.ts';

/** The page to land on next time. */
export const rememberedSegment = kept(() => localStorage, 'segment');

/** What stood around the page last time, so that the skeleton has the same places. */
const shell = kept(() => localStorage, 'shell');

export const rememberShell = ({ current, user }: Session) =>
  shell.keep(`${current ? 'menu' : ''} ${isToConfirm(user) ? 'banner' : ''}`);

/** Without a memory: somebody who has an organization and a confirmed address. */
export function rememberedShell() {
  const words = (shell.read() ?? 'menu').split(' ');
  return { menu: words.includes('menu'), banner: words.includes('banner') };
}
/** The organization that closed to the person while they were in it. */
export const shutOutOf = kept(() => sessionStorage, 'shut-out-of');
