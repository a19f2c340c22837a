import { AsyncLocalStorage } from 'node:async_hooks';

/** Where a request came from, as far as a trusted proxy or the socket tells. */
export type Origin = { readonly ipAddress: string; readonly userAgent: string };

const current = new AsyncLocalStorage<Origin | undefined>();

/** Does the work of a request, so that every row it adds to the log can say where from; of none, for what outlives one. */
export const workFor = <T>(origin: Origin | undefined, work: () => Promise<T>): Promise<T> =>
  current.run(origin, work);

/** Where the request came from whose work this is; nothing in jobs and an operator's commands. */
export const currentOrigin = (): Origin | undefined => current.getStore();
