import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

const isFree = (port: number) =>
  new Promise<boolean>((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });

/**
 * A port nobody listens on right now, drawn from below the range that the system hands out itself: two test
 * processes that ask at once, or an outgoing connection, hardly ever get the same one. It lies above 10080, the last that
 * browsers and `fetch` call bad.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_081, 32_000);
    if (await isFree(port)) return port;
  }
}
