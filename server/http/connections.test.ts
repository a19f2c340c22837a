import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { boundConnections, socketOptions } from '#server/http/connections.ts';
import { answerUnreadable } from '#server/http/refusal.ts';
import { createMetrics } from '#server/metrics.ts';
import { useApp } from '#server/testing/use-app.ts';

const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

/** The client's end of a socket from one of this machine's addresses. */
async function open(port: number, from = '127.0.0.1') {
  const socket = connect({ port, host: '127.0.0.1', localAddress: from });
  sockets.push(socket);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}
/** Everything a socket received until it was closed. */
const closed = (socket: Socket) =>
  new Promise<string>((resolve) => {
    let received = '';
    socket.setEncoding('utf8').on('data', (text: string) => (received += text));
    socket.once('close', () => resolve(received));
  });
const answersIn = (text: string) => text.match(/^HTTP\/1\.1 \d{3}/gm) ?? [];

describe('a slow client is disconnected (M2):', () => {
  const short = { headMs: 200, requestMs: 400, idleMs: 300, readingMs: 500, checkEveryMs: 20 };
  let app: FastifyInstance;
  /** Its timeouts during a request are long, because the machine may be busy; only its idle timeout is short. */
  let patient: FastifyInstance;
  beforeAll(async () => {
    const start = async (timeouts: typeof short) => {
      const server = Fastify({ ...socketOptions(timeouts), clientErrorHandler: answerUnreadable });
      const config = {
        trustedProxies: [],
        knownNetworks: [],
        rateLimitFactor: 1,
        publicUrl: new URL('https://accounts.example'),
      };
      boundConnections(server, { config, metrics: createMetrics() }, short);
      server.post('/', () => 'x');
      server.get('/large', () => 'x'.repeat(50_000_000));
      server.get('/later', () => new Promise((resolve) => setImmediate(resolve, 'x')));
      server.get('/piecemeal', (_request, reply) =>
        reply.send(
          Readable.from(
            (async function* () {
              yield 'x';
              await once(server.server, 'clientError');
              yield 'y';
            })(),
          ),
        ),
      );
      await server.listen({ port: 0, host: '127.0.0.1' });
      return server;
    };
    app = await start(short);
    patient = await start({ ...short, headMs: 10_000, requestMs: 10_000, readingMs: 20_000 });
  });
  afterAll(() => Promise.all([app.close(), patient.close()]));
  const portOf = ({ server }: FastifyInstance) => (server.address() as AddressInfo).port;

  const post = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';
  test.for([
    { client: 'a client that says nothing', says: '', drips: '', answers: ['HTTP/1.1 408'] },
    { client: 'a client that never ends the head', says: post, drips: 'A: b\r\n', answers: ['HTTP/1.1 408'] },
    {
      client: 'a client that never ends the body',
      says: `${post}Content-Length: 999\r\n\r\n"`,
      drips: 'x',
      answers: ['HTTP/1.1 408'],
    },
    {
      client: 'a client without another request',
      says: `${post}Content-Length: 2\r\n\r\n{}`,
      drips: '',
      answers: ['HTTP/1.1 200'],
    },
    {
      client: 'a client that sends empty lines instead of the next request',
      says: `${post}Content-Length: 2\r\n\r\n{}`,
      drips: '\r\n',
      answers: ['HTTP/1.1 200'],
    },
  ])('$client', async ({ says, drips, answers }) => {
    const began = performance.now();
    const hasAsked = answers.includes('HTTP/1.1 200');
    const socket = await open(portOf(hasAsked ? patient : app));
    const end = closed(socket);
    socket.write(says);
    const drip = setInterval(() => socket.write(drips), 50);
    expect(answersIn(await end)).toEqual(answers);
    clearInterval(drip);
    // Node's default interval is half a minute.
    expect(performance.now() - began).toBeLessThan(10_000);
  });

  test('a client that goes on sending a body after its timeout', async () => {
    const atServer = once(app.server, 'connection') as Promise<[Socket]>;
    const socket = connect({ port: portOf(app), host: '127.0.0.1', allowHalfOpen: true });
    sockets.push(socket);
    socket.on('error', () => undefined).resume();
    socket.write(`${post}Content-Length: 999999\r\n\r\n"`);
    const drip = setInterval(() => socket.write('x'), 50);
    const [served] = await atServer;
    await once(served, 'close');
    clearInterval(drip);
    expect(served.destroyed).toBe(true);
  });

  test('a client that sends too long a head in pieces gets the refusal, even if it goes on sending', async () => {
    const atServer = once(app.server, 'connection') as Promise<[Socket]>;
    const socket = connect({ port: portOf(app), host: '127.0.0.1', allowHalfOpen: true });
    sockets.push(socket);
    const answers = closed(socket.on('error', () => undefined));
    const [served] = await atServer;
    const destroyedAtError: boolean[] = [];
    const twice = new Promise<void>((resolve) => {
      app.server.on('clientError', (_error, { destroyed }) => {
        if (destroyedAtError.push(destroyed) === 2) resolve();
      });
    });
    socket.write(`GET / HTTP/1.1\r\nHost: x\r\nA: ${'x'.repeat(20_000)}`);
    const drip = setInterval(() => socket.write('x'.repeat(1000)), 20);
    await twice;
    clearInterval(drip);
    app.server.removeAllListeners('clientError').on('clientError', answerUnreadable);
    served.destroy();
    socket.destroy();
    expect(destroyedAtError).toEqual([false, false]);
    expect(answersIn(await answers)).toEqual(['HTTP/1.1 431']);
  });

  test.for([
    { while: 'an answer is prepared', path: '/later', end: /connection: close\r\n\r\nx$/i },
    { while: 'an answer is being sent', path: '/piecemeal', end: /\r\n1\r\nx\r\n1\r\ny\r\n0\r\n\r\n$/ },
  ])(
    'unreadable input after a request closes the connection after its answer while $while',
    async ({ path, end }) => {
      const socket = await open(portOf(app));
      const answer = closed(socket);
      if (path === '/piecemeal') socket.once('data', () => socket.write('NONSENSE\r\n\r\n'));
      socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n${path === '/later' ? 'NONSENSE\r\n\r\n' : ''}`);
      const text = await answer;
      expect(answersIn(text)).toEqual(['HTTP/1.1 200']);
      expect(text).toMatch(end);
    },
  );

  test('a client that does not read its answer', async () => {
    const atServer = once(app.server, 'connection') as Promise<[Socket]>;
    const socket = await open(portOf(app));
    socket.pause();
    socket.write('GET /large HTTP/1.1\r\nHost: x\r\n\r\n');
    const [served] = await atServer;
    await once(served, 'close');
    expect(served.destroyed).toBe(true);
  });
});

describe('the portal', () => {
  let port: number;
  const PROXY = '127.0.0.9';
  const app = useApp({ PUBLIC_URL: 'https://accounts.example', TRUSTED_PROXIES: `10.0.0.0/8,${PROXY}` });
  beforeAll(() => {
    ({ port } = app.deps.config);
  });
  const ask = (host: string) => `GET /api/ustat HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
  /** The status of the answer on a socket; undefined if the portal closes it. */
  const statusOn = (socket: Socket, text = ask('accounts.example')) =>
    new Promise<string | undefined>((resolve) => {
      socket.once('data', (answer) => resolve(/^HTTP\/1\.1 (\d{3})/.exec(answer.toString())?.[1]));
      socket.once('close', () => resolve(undefined));
      socket.write(text);
    });

  test('allows each network a hundred sockets, and a proxy more (M2)', async () => {
    const first = await open(port);
    for (let count = 1; count < 100; count += 1) await open(port);
    expect(await statusOn(await open(port))).toBeUndefined();
    expect(await statusOn(await open(port, '127.0.0.2'))).toBe('200');
    expect(await statusOn(first)).toBe('200');
    first.destroy();
    await expect.poll(async () => statusOn(await open(port))).toBe('200');
    for (let count = 0; count < 150; count += 1) await open(port, PROXY);
    expect(await statusOn(await open(port, PROXY))).toBe('200');
  });

  test('closes a socket on which a second request arrives before the first answer', async () => {
    const patient = await open(port, '127.0.0.3');
    for (let count = 0; count < 3; count += 1) expect(await statusOn(patient)).toBe('200');
    const hasty = await open(port, '127.0.0.3');
    const end = closed(hasty);
    hasty.write(ask('accounts.example').repeat(3000));
    expect(answersIn(await end)).toEqual([]);
    expect(await statusOn(patient)).toBe('200');
  });

  test.for(['evil.example', 'accounts.example'])('refuses a second Host, %s', async (second) => {
    const socket = await open(port, '127.0.0.3');
    expect(await statusOn(socket, ask(`accounts.example\r\nHost: ${second}`))).toBe('421');
  });
});
