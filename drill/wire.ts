import { Agent, type IncomingMessage, request } from 'node:http';

export interface Reply {
  /** 0 without an answer: refused, cut or timed out. */
  readonly status: number;
  readonly body: {
    readonly response?: unknown;
    readonly error?: { readonly code: string; readonly details: string };
  };
  readonly cookies: readonly string[];
  readonly hasRetryAfter: boolean;
  readonly ms: number;
  readonly failure?: string | undefined;
}

export interface WireRequest {
  readonly method: string;
  readonly path: string;
  readonly cookie?: string | undefined;
  readonly body?: object | undefined;
  /** The client's address, as a proxy reports it. */
  readonly from?: string | undefined;
}

const PATIENCE_MS = 30_000;

/** A client with keep-alive connections. Each request gets one answer or failure, and nothing is thrown. */
export function wireTo(url: string, { sockets = 4096, host = '' } = {}) {
  const { hostname, port } = new URL(url);
  // With a timeout the agent respects the keep-alive hint and reuses no closing connection.
  const agent = new Agent({
    keepAlive: true,
    maxSockets: sockets,
    maxFreeSockets: sockets,
    timeout: PATIENCE_MS,
  });
  const ask = ({ method, path, cookie, body, from }: WireRequest) =>
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
      const outgoing = request(
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
      outgoing.on('timeout', () => outgoing.destroy(new Error('no answer in time')));
      outgoing.on('error', (error: NodeJS.ErrnoException) => fail(error.code ?? error.message));
      outgoing.end(text);
    });
  return { ask, close: () => agent.destroy() };
}
export type Wire = ReturnType<typeof wireTo>;

/** Each answer of the portal carries a request id. */
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
