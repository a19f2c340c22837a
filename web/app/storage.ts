import { kept } from '#web/lib/kept.ts';

/** The page to land on next time. */
export const rememberedSegment = kept(() => localStorage, 'segment');
