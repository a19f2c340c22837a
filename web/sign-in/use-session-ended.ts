import { useBrowserValue } from '#web/lib/navigate.ts';
import { sessionEnded } from '#web/lib/stored-text.ts';

const words = sessionEnded.read();
// Shown once: after a reload it is gone.
sessionEnded.forget();

export const useSessionEnded = () => useBrowserValue(() => words, null);
