import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { SECOND_MS } from '#server/clock.ts';
import { factorByAddress } from '#server/db/limiter.ts';
import type { Deps } from '#server/deps.ts';
import { proxiesOf } from '#server/http/client-address.ts';
import { ipPrefix } from '#server/ip-prefix.ts';

/** Timeouts: for a head, a whole request, the next request, and a client that does not take its answer. */
const patience = {
  headMs: 10 * SECOND_MS,
  requestMs: 30 * SECOND_MS,
  idleMs: 30 * SECOND_MS,
  takingMs: 60 * SECOND_MS,
  lookEveryMs: SECOND_MS,
};

/** Fastify's socket options, so that slow senders and slow receivers are disconnected in time. */
export const socketOptions = ({ headMs, requestMs, idleMs, takingMs, lookEveryMs } = patience) => ({
  // Half, because Node checks at this interval for progress, and counts its own first write.
  connectionTimeout: takingMs / 2,
  requestTimeout: requestMs,
  keepAliveTimeout: idleMs,
  http: {
    headersTimeout: headMs,
    connectionsCheckingInterval: lookEveryMs,
    maxHeaderSize: 16_384,
    // A small buffer: backpressure stops a sender of tiny chunks before they block the event loop.
    highWaterMark: 8192,
    // Shows a second Host or Content-Type instead of ignoring it: another server may have used that one.
    joinDuplicateHeaders: true,
  },
});

/** The answer in progress on each socket. */
const answers = new WeakMap<Socket, ServerResponse>();

/**
 * The answer that is owed or under way on a socket; undefined while its request still arrives. Nothing else
 * may be written meanwhile.
 */
export function answerOn(socket: Socket): ServerResponse | undefined {
  const answer = answers.get(socket);
  return answer && (answer.headersSent || answer.req.complete) ? answer : undefined;
}

/** Sockets that one network may have open. A proxy, which speaks for many, has no limit. */
const SOCKETS_A_NETWORK = 100;

/**
 * Bounds what one network and one connection can take: a number of sockets, one request at a time on each,
 * and a limited idle time.
 */
export function boundConnections(
  app: FastifyInstance,
  { config, metrics }: { config: Limits; metrics: Pick<Deps['metrics'], 'limited'> },
  { idleMs, headMs, lookEveryMs }: Pick<typeof patience, 'idleMs' | 'headMs' | 'lookEveryMs'> = patience,
) {
  const most = SOCKETS_A_NETWORK * factorByAddress(config);
  const isProxy = proxiesOf(config.trustedProxies);
  const open = new Map<string, number>();
  app.server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? '';
    if (isProxy(address)) return;
    const network = ipPrefix(address);
    const count = open.get(network) ?? 0;
    if (count >= most) {
      metrics.limited.inc({ limit: 'sockets' });
      socket.destroy();
      return;
    }
    open.set(network, count + 1);
    socket.once('close', () => {
      const left = (open.get(network) ?? 1) - 1;
      if (left > 0) open.set(network, left);
      else open.delete(network);
    });
  });

  // Browsers and proxies wait for an answer before the next request. Node would start all pipelined requests
  // at once, so a single socket could put thousands of queries before everybody else's.
  //
  // Each byte resets Node's idle timer, so empty lines between two requests would keep a socket open forever.
  // This map holds the idle sockets in the order of their last answers.
  const restingSince = new Map<Socket, number>();
  const look = setInterval(() => {
    const tooLong = performance.now() - idleMs - headMs;
    for (const [socket, since] of restingSince) {
      if (since > tooLong) break;
      restingSince.delete(socket);
      socket.destroy();
    }
  }, lookEveryMs).unref();
  app.addHook('onClose', async () => clearInterval(look));
  app.server.on('connection', (socket: Socket) => socket.once('close', () => restingSince.delete(socket)));
  app.addHook('onRequest', (request, reply, next) => {
    const { socket } = request.raw;
    if (answers.has(socket)) {
      reply.hijack();
      socket.destroy();
      return;
    }
    answers.set(socket, reply.raw);
    restingSince.delete(socket);
    reply.raw.once('close', () => {
      answers.delete(socket);
      // Node decides about keep-alive when it writes the head; a later decision to close is applied here.
      if (!reply.raw.shouldKeepAlive) socket.destroySoon();
      else if (!socket.destroyed) restingSince.set(socket, performance.now());
    });
    next();
  });
}

type Limits = Pick<Deps['config'], 'trustedProxies' | 'rateLimitFactor' | 'publicUrl'>;
