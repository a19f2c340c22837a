import { storedText } from '#web/lib/stored-text.ts';

/** A message that outlives a full load; the next page of the area shows it once. */
export const nextMessage = storedText(() => sessionStorage, 'said');
