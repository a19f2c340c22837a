import { afterAll, beforeAll } from 'vitest';
import { startApp, type TestApp } from './start-app.ts';

type Server = { close(): Promise<unknown> };

/**
 * Runs a server during the tests of a file or a `describe`. The result is empty until they begin, then a
 * copy, so the server must not change its own fields.
 */
export function useServer<Started extends Server>(start: () => Promise<Started>): Started {
  const server = {} as Started;
  beforeAll(async () => void Object.assign(server, await start()));
  afterAll(() => server.close());
  return server;
}

export const useApp = (...options: Parameters<typeof startApp>): TestApp =>
  useServer(() => startApp(...options));
