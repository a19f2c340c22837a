import { kept } from '#web/lib/kept.ts';

/** The page to land on next time. */
export const rememberedSegment = kept(() => localStorage, 'segment');
/** When the status check last failed, in milliseconds. */
export const statusFailure = kept(() => sessionStorage, 'status-failure');
