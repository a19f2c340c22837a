import { once } from 'node:events';
import { createServer, request as ask, type IncomingMessage, type ServerResponse } from 'node:http';
import { startSwift } from '#server/testing/swift.ts';
import { freePort } from '#server/testing/ports.ts';

/** Answers instead of the store, also by silence or a cut line, or lets what it was asked pass on to it. */
export type StoreFault = (asked: IncomingMessage, response: ServerResponse) => 'answered' | 'passes';

/** An image store that speaks S3, behind a door where it can be made to misbehave; `url` is one that STORAGE_URL takes. */
export async function startStore() {
  const swift = await startSwift();
  const url = new URL(swift.url());
  const [own, { hostname, port }] = [await freePort(), url];
  let fault: StoreFault = () => 'passes';
  const door = createServer((asked, response) => {
    if (fault(asked, response) === 'answered') return;
    const { method, url: path, headers } = asked;
    const onward = ask({ hostname, port, method, path, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    asked.pipe(onward);
  });
  await once(door.listen(own, '127.0.0.1'), 'listening');
  url.port = String(own);
  return {
    url: url.href,
    misbehave: (as: StoreFault) => {
      fault = as;
    },
    behave: () => {
      fault = () => 'passes';
      // Who was never answered has nothing to wait for any more.
      door.closeAllConnections();
    },
    stop: async () => {
      door.closeAllConnections();
      door.close();
      await swift.stop();
    },
  };
}

const refusing =
  (status: number, code: string): StoreFault =>
  ({ method }, response) => {
    if (method !== 'PUT') return 'passes';
    response.writeHead(status, { 'content-type': 'application/xml', connection: 'close' });
    response.end(`<Error><Code>${code}</Code></Error>`);
    return 'answered';
  };

/** What a store may do that has trouble. */
export const storeFaults = {
  full: refusing(507, 'InsufficientStorage'),
  'read-only': refusing(403, 'AccessDenied'),
  silent: () => 'answered',
  down: (_, response) => {
    response.destroy();
    return 'answered';
  },
} as const satisfies Record<string, StoreFault>;
