import { useSyncExternalStore } from 'react';
import { sessionEnded } from '#web/lib/stored-text.ts';

const unchanging = () => () => {};

const words = sessionEnded.read();
// Shown once: after a reload it is gone.
sessionEnded.forget();

/** The message that a session has just ended. Null when prerendered, because only the browser knows. */
export const useSessionEnded = () =>
  useSyncExternalStore(
    unchanging,
    () => words,
    () => null,
  );
