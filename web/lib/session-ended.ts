import { useSyncExternalStore } from 'react';
import { kept } from '#web/lib/kept.ts';

const ended = kept(() => sessionStorage, 'session-ended');
const unchanging = () => () => {};

/** Lets the login page say that the session ended while somebody was at work. */
export const noteSessionEnded = () => ended.keep('1');

const before = ended.read() !== null;
// Said once: who loads the page again has read it.
ended.forget();

/** Whether a session ended just before this page; not in the page as it is drawn first, for only the browser knows. */
export const useSessionEnded = () =>
  useSyncExternalStore(
    unchanging,
    () => before,
    () => false,
  );
