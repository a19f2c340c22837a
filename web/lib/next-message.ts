import { storedText } from '#web/lib/stored-text.ts';

/** A message that the area shows once on its next page, after a full load. */
export const nextMessage = storedText(() => sessionStorage, 'said');
