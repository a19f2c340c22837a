import { kept } from '#web/lib/kept.ts';

/** What the area says once on its next page, after a full load. */
export const said = kept(() => sessionStorage, 'said');
