import { useSyncExternalStore } from 'react';
import { sessionEnded } from '#web/lib/kept.ts';

const unchanging = () => () => {};

const words = sessionEnded.read();
// Said once: who loads the page again has read it.
sessionEnded.forget();

/** That a session ended just before this page, in words; not in the page as it is drawn first, for only the browser knows. */
export const useSessionEnded = () =>
  useSyncExternalStore(
    unchanging,
    () => words,
    () => null,
  );
