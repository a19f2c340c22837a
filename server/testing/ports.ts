import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

const isFree = (port: number) =>
  new Promise<boolean>((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });

/**
 * A free port below the range that the system assigns itself, so that two test processes or an outgoing
 * connection hardly ever take the same one. It is above 10080, the highest port that browsers and `fetch`
 * block.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_081, 32_000);
    if (await isFree(port)) return port;
  }
}
