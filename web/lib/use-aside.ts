import { useSyncExternalStore } from 'react';
import { asideTo } from '#web/lib/navigate.ts';

const unchanging = () => () => {};

/** `asideTo` for a link: pages are drawn ahead without the query, so it joins the path once the browser has them. */
export const useAside = (path: string) =>
  useSyncExternalStore(
    unchanging,
    () => asideTo(path),
    () => path,
  );
