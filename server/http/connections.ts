import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { SECOND_MS } from '#server/clock.ts';
import { factorByAddress, factorOfKnown } from '#server/db/limiter.ts';
import type { Deps } from '#server/deps.ts';
import { proxiesOf } from '#server/http/client-address.ts';
import { ipPrefix } from '#server/ip-prefix.ts';

/** Timeouts for a head, a whole request, the next request, and a client that does not read its answer. */
const timeouts = {
  headMs: 10 * SECOND_MS,
  requestMs: 30 * SECOND_MS,
  idleMs: 30 * SECOND_MS,
  readingMs: 60 * SECOND_MS,
  checkEveryMs: SECOND_MS,
};

/** Fastify's socket options, so that slow senders and slow receivers are disconnected in time. */
export const socketOptions = ({ headMs, requestMs, idleMs, readingMs, checkEveryMs } = timeouts) => ({
  // Half, because Node only checks for progress at this interval, and counts its own first write as progress.
  connectionTimeout: readingMs / 2,
  requestTimeout: requestMs,
  keepAliveTimeout: idleMs,
  http: {
    headersTimeout: headMs,
    connectionsCheckingInterval: checkEveryMs,
    maxHeaderSize: 16_384,
    // A small buffer: backpressure stops a sender of tiny chunks before they block the event loop.
    highWaterMark: 8192,
    // Shows a second Host or Content-Type instead of ignoring it: a proxy before us may have used that one.
    joinDuplicateHeaders: true,
  },
});

/** The answer in progress on each socket. */
const answers = new WeakMap<Socket, ServerResponse>();

/**
 * The answer that is due or under way on a socket; undefined while its request still arrives. Nothing else may
 * be written meanwhile.
 */
export function answerOn(socket: Socket): ServerResponse | undefined {
  const answer = answers.get(socket);
  return answer && (answer.headersSent || answer.req.complete) ? answer : undefined;
}

/** Open sockets per network. A proxy has no limit, because many clients share it. */
const SOCKETS_PER_NETWORK = 100;

/**
 * Bounds what one network and one connection can take: a number of sockets, one request at a time on each,
 * and a limited idle time.
 */
export function boundConnections(
  app: FastifyInstance,
  { config, metrics }: { config: Limits; metrics: Pick<Deps['metrics'], 'limited'> },
  { idleMs, headMs, checkEveryMs }: Pick<typeof timeouts, 'idleMs' | 'headMs' | 'checkEveryMs'> = timeouts,
) {
  const socketsMax = SOCKETS_PER_NETWORK * factorByAddress(config);
  const factorOf = factorOfKnown(config);
  const isProxy = proxiesOf(config.trustedProxies);
  const open = new Map<string, number>();
  app.server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? '';
    if (isProxy(address)) return;
    const network = ipPrefix(address);
    const count = open.get(network) ?? 0;
    if (count >= socketsMax * factorOf(network)) {
      metrics.limited.inc({ limit: 'sockets' });
      socket.destroy();
      return;
    }
    open.set(network, count + 1);
    socket.once('close', () => {
      const remaining = (open.get(network) ?? 1) - 1;
      if (remaining > 0) open.set(network, remaining);
      else open.delete(network);
    });
  });

  // The idle sockets in the order of their last answers. Node's own idle timer is not enough: each byte resets
  // it, so empty lines between two requests would keep a socket open forever.
  const idleSince = new Map<Socket, number>();
  const timer = setInterval(() => {
    const latest = performance.now() - idleMs - headMs;
    for (const [socket, since] of idleSince) {
      if (since > latest) break;
      idleSince.delete(socket);
      socket.destroy();
    }
  }, checkEveryMs).unref();
  app.addHook('onClose', async () => clearInterval(timer));
  app.server.on('connection', (socket: Socket) => socket.once('close', () => idleSince.delete(socket)));
  app.addHook('onRequest', (request, reply, next) => {
    const { socket } = request.raw;
    // Browsers and proxies wait for an answer before the next request. Node would start all pipelined requests
    // at once, so a single socket could put thousands of queries before those of all others.
    if (answers.has(socket)) {
      reply.hijack();
      socket.destroy();
      return;
    }
    answers.set(socket, reply.raw);
    idleSince.delete(socket);
    reply.raw.once('close', () => {
      answers.delete(socket);
      // Node reads this only when it writes the head, so apply a later decision to close.
      if (!reply.raw.shouldKeepAlive) socket.destroySoon();
      else if (!socket.destroyed) idleSince.set(socket, performance.now());
    });
    next();
  });
}

type Limits = Pick<Deps['config'], 'trustedProxies' | 'knownNetworks' | 'rateLimitFactor' | 'publicUrl'>;
