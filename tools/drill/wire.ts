import { Agent, type IncomingMessage, request } from 'node:http';

/** An answer, or what came instead of one. */
export interface Reply {
  /** 0 when there was no answer: refused, cut or out of time. */
  readonly status: number;
  readonly body: {
    readonly response?: unknown;
    readonly error?: { readonly code: string; readonly details: string };
  };
  readonly cookies: readonly string[];
  readonly hasRetryAfter: boolean;
  readonly ms: number;
  /** Why there was no answer, or whose answer a 5xx was: the portal's or the balancer's. */
  readonly failure?: string | undefined;
}

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly cookie?: string | undefined;
  readonly body?: object | undefined;
  /** The network it comes from, as a proxy would tell. */
  readonly from?: string | undefined;
}

const PATIENCE_MS = 30_000;

/** A browser's end of the wire: connections kept alive, one answer or failure for each request, nothing thrown. */
export function wireTo(url: string, { sockets = 4096, host = '' } = {}) {
  const { hostname, port } = new URL(url);
  // With a time limit of its own it minds how long servers say that they keep a connection, so none is used as it is closed.
  const agent = new Agent({
    keepAlive: true,
    maxSockets: sockets,
    maxFreeSockets: sockets,
    timeout: PATIENCE_MS,
  });
  const ask = ({ method, path, cookie, body, from }: Asked) =>
    new Promise<Reply>((resolve) => {
      const began = performance.now();
      const text = body === undefined ? undefined : JSON.stringify(body);
      const fail = (failure: string) =>
        resolve({
          status: 0,
          body: {},
          cookies: [],
          hasRetryAfter: false,
          ms: performance.now() - began,
          failure,
        });
      const sent = request(
        {
          agent,
          hostname,
          port,
          method,
          path,
          timeout: PATIENCE_MS,
          headers: {
            ...(host && { host }),
            ...(cookie && { cookie }),
            ...(from && { 'x-forwarded-for': from }),
            ...(text !== undefined && {
              'content-type': 'application/json',
              'content-length': Buffer.byteLength(text),
            }),
          },
        },
        (answer) => {
          const parts: Buffer[] = [];
          answer.on('data', (part: Buffer) => parts.push(part));
          answer.on('error', ({ message }) => fail(message));
          answer.on('aborted', () => fail('the answer was cut'));
          answer.on('end', () =>
            resolve({
              status: answer.statusCode ?? 0,
              body: bodyOf(answer.headers['content-type'], Buffer.concat(parts)),
              cookies: answer.headers['set-cookie'] ?? [],
              hasRetryAfter: answer.headers['retry-after'] !== undefined,
              ms: performance.now() - began,
              failure: failureOf(answer),
            }),
          );
        },
      );
      sent.on('timeout', () => sent.destroy(new Error('no answer in time')));
      sent.on('error', (error: NodeJS.ErrnoException) => fail(error.code ?? error.message));
      sent.end(text);
    });
  return { ask, close: () => agent.destroy() };
}
export type Wire = ReturnType<typeof wireTo>;

/** Each answer of the portal carries the id of its request. */
function failureOf({ statusCode = 0, headers }: IncomingMessage): string | undefined {
  if (statusCode < 500) return undefined;
  return headers['x-request-id'] === undefined ? 'the balancer' : 'the portal';
}

function bodyOf(type: string | undefined, bytes: Buffer): Reply['body'] {
  if (!type?.startsWith('application/json')) return {};
  return JSON.parse(bytes.toString()) as Reply['body'];
}

/** The value of a cookie that an answer sets. */
export const cookieFrom = ({ cookies }: Reply, name: string) =>
  cookies.flatMap((line) => new RegExp(`^${name}=([^;]+)`).exec(line)?.[1] ?? [])[0];
