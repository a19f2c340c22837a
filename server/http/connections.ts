import type { ServerResponse } from 'node:http';
import { BlockList, isIPv6, type Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { SECOND_MS } from '#server/clock.ts';
import { factorByAddress } from '#server/db/limiter.ts';
import type { Deps } from '#server/deps.ts';
import { ipPrefix } from '#server/ip-prefix.ts';

/** How long a head, a whole request, the next one, and an answer that nobody takes are waited for. */
const patience = {
  headMs: 10 * SECOND_MS,
  requestMs: 30 * SECOND_MS,
  idleMs: 30 * SECOND_MS,
  takingMs: 60 * SECOND_MS,
  lookEveryMs: SECOND_MS,
};

/** What Fastify makes its server with, so that whoever sends or takes slowly is let go in time. */
export const socketOptions = ({ headMs, requestMs, idleMs, takingMs, lookEveryMs } = patience) => ({
  // Node looks each time this has passed whether anything was taken since, and what it wrote at first counts as taken.
  connectionTimeout: takingMs / 2,
  requestTimeout: requestMs,
  keepAliveTimeout: idleMs,
  http: {
    headersTimeout: headMs,
    connectionsCheckingInterval: lookEveryMs,
    maxHeaderSize: 16_384,
    // A second Host or type is seen in place of being passed over: another server may have gone by that one.
    joinDuplicateHeaders: true,
  },
});

/** What each socket is being answered. */
const answers = new WeakMap<Socket, ServerResponse>();

/** The answer that is owed or on its way on a socket, so that no other one may be written now; undefined while a request is still heard. */
export function answerOn(socket: Socket): ServerResponse | undefined {
  const answer = answers.get(socket);
  return answer && (answer.headersSent || answer.req.complete) ? answer : undefined;
}

/** So many sockets a network may have open; a proxy, which speaks for many, as many as it likes. */
const SOCKETS_A_NETWORK = 100;

/** Bounds what one network and one connection can take of the process: so many sockets, one request at a time on each, and no rest without end. */
export function boundConnections(
  app: FastifyInstance,
  { config, metrics }: { config: Limits; metrics: Pick<Deps['metrics'], 'limited'> },
  { idleMs, headMs, lookEveryMs }: Pick<typeof patience, 'idleMs' | 'headMs' | 'lookEveryMs'> = patience,
) {
  const most = SOCKETS_A_NETWORK * factorByAddress(config);
  const isProxy = networks(config.trustedProxies);
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

  // Browsers and proxies wait for an answer before they ask again. Node would begin all that arrived in one go at
  // once, so a single socket could put thousands of queries before everybody else's.
  // Each byte is a sign of life to Node, so empty lines between two requests would keep a socket for ever. In the order in
  // which they were answered.
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
      // Node asks whether the line is to end as it writes the head; what was said since is heeded here.
      if (!reply.raw.shouldKeepAlive) socket.destroySoon();
      else if (!socket.destroyed) restingSince.set(socket, performance.now());
    });
    next();
  });
}

type Limits = Pick<Deps['config'], 'trustedProxies' | 'rateLimitFactor' | 'publicUrl'>;

const familyOf = (address: string) => (isIPv6(address) ? 'ipv6' : 'ipv4');

/** Whether an address is in one of the networks, which config.ts has read. */
function networks(list: readonly string[]) {
  const blocks = new BlockList();
  for (const entry of list) {
    const [address = '', bits] = entry.split('/');
    if (bits === undefined) blocks.addAddress(address, familyOf(address));
    else blocks.addSubnet(address, Number(bits), familyOf(address));
  }
  return (address: string) => blocks.check(address, familyOf(address));
}
