import { sessionEnded } from '#web/lib/stored-text.ts';
import { shownOnce } from '#web/public-pages/shown-once.ts';

export const useSessionEnded = shownOnce(sessionEnded);
