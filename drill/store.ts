import { once } from 'node:events';
import { createServer, request as ask, type IncomingMessage, type ServerResponse } from 'node:http';
import { startSwift } from '#server/testing/swift.ts';
import { freePort } from '#server/testing/ports.ts';

/** Answers in place of the store, also by silence or a cut connection, or lets the request pass. */
type StoreFault = (request: IncomingMessage, response: ServerResponse) => 'answered' | 'passes';

/** An S3 image store behind a proxy that can misbehave; `url` is a valid STORAGE_URL. */
export async function startStore() {
  const swift = await startSwift();
  const url = new URL(swift.url());
  const [own, { hostname, port }] = [await freePort(), url];
  let fault: StoreFault = () => 'passes';
  const entry = createServer((request, response) => {
    if (fault(request, response) === 'answered') return;
    const { method, url: path, headers } = request;
    const onward = ask({ hostname, port, method, path, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    request.pipe(onward);
  });
  await once(entry.listen(own, '127.0.0.1'), 'listening');
  url.port = String(own);
  return {
    url: url.href,
    misbehave: (as: StoreFault) => {
      fault = as;
    },
    behave: () => {
      fault = () => 'passes';
      // Requests that were never answered would wait forever.
      entry.closeAllConnections();
    },
    stop: async () => {
      entry.closeAllConnections();
      entry.close();
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

/** The faults of a store. */
export const storeFaults = {
  full: refusing(507, 'InsufficientStorage'),
  'read-only': refusing(403, 'AccessDenied'),
  silent: () => 'answered',
  down: (_, response) => {
    response.destroy();
    return 'answered';
  },
} as const satisfies Record<string, StoreFault>;
