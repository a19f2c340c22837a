import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { boundConnections, socketOptions } from '#server/http/connections.ts';
import { answerUnreadable } from '#server/http/refusal.ts';
import { createMetrics } from '#server/metrics.ts';
import { startApp, type TestApp } from '#server/testing/start-app.ts';

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
    let said = '';
    socket.setEncoding('utf8').on('data', (text: string) => (said += text));
    socket.once('close', () => resolve(said));
  });
const answersIn = (text: string) => text.match(/^HTTP\/1\.1 \d{3}/gm) ?? [];

describe('a slow client is disconnected (M2):', () => {
  const short = { headMs: 200, requestMs: 400, idleMs: 300, takingMs: 500, lookEveryMs: 20 };
  let app: FastifyInstance;
  /** Patient during a request, because the machine may be busy, and impatient afterwards. */
  let patient: FastifyInstance;
  beforeAll(async () => {
    const started = async (whileAsked: typeof short) => {
      const made = Fastify({ ...socketOptions(whileAsked), clientErrorHandler: answerUnreadable });
      const config = {
        trustedProxies: [],
        rateLimitFactor: 1,
        publicUrl: new URL('https://accounts.example'),
      };
      boundConnections(made, { config, metrics: createMetrics() }, short);
      made.post('/', () => 'x');
      made.get('/large', () => 'x'.repeat(50_000_000));
      made.get('/later', () => new Promise((resolve) => setImmediate(resolve, 'x')));
      made.get('/piecemeal', (_request, reply) =>
        reply.send(
          Readable.from(
            (async function* () {
              yield 'x';
              await once(made.server, 'clientError');
              yield 'y';
            })(),
          ),
        ),
      );
      await made.listen({ port: 0, host: '127.0.0.1' });
      return made;
    };
    app = await started(short);
    patient = await started({ ...short, headMs: 10_000, requestMs: 10_000, takingMs: 20_000 });
  });
  afterAll(() => Promise.all([app.close(), patient.close()]));
  const portOf = ({ server }: FastifyInstance) => (server.address() as AddressInfo).port;

  const post = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';
  test.for([
    { who: 'a client that says nothing', says: '', drips: '', answers: ['HTTP/1.1 408'] },
    { who: 'a client that never ends the head', says: post, drips: 'A: b\r\n', answers: ['HTTP/1.1 408'] },
    {
      who: 'a client that never ends the body',
      says: `${post}Content-Length: 999\r\n\r\n"`,
      drips: 'x',
      answers: ['HTTP/1.1 408'],
    },
    {
      who: 'a client without another request',
      says: `${post}Content-Length: 2\r\n\r\n{}`,
      drips: '',
      answers: ['HTTP/1.1 200'],
    },
    {
      who: 'a client that sends empty lines instead of the next request',
      says: `${post}Content-Length: 2\r\n\r\n{}`,
      drips: '\r\n',
      answers: ['HTTP/1.1 200'],
    },
  ])('$who', async ({ says, drips, answers }) => {
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

  test('a client that goes on with an abandoned body and never hangs up', async () => {
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
    const said = closed(socket.on('error', () => undefined));
    const [served] = await atServer;
    const told: boolean[] = [];
    const twice = new Promise<void>((resolve) => {
      app.server.on('clientError', (_error, { destroyed }) => {
        if (told.push(destroyed) === 2) resolve();
      });
    });
    socket.write(`GET / HTTP/1.1\r\nHost: x\r\nA: ${'x'.repeat(20_000)}`);
    const drip = setInterval(() => socket.write('x'.repeat(1000)), 20);
    await twice;
    clearInterval(drip);
    app.server.removeAllListeners('clientError').on('clientError', answerUnreadable);
    served.destroy();
    socket.destroy();
    expect(told).toEqual([false, false]);
    expect(answersIn(await said)).toEqual(['HTTP/1.1 431']);
  });

  test.for([
    { while: 'an answer is prepared', path: '/later', end: /connection: close\r\n\r\nx$/i },
    { while: 'an answer is being sent', path: '/piecemeal', end: /\r\n1\r\nx\r\n1\r\ny\r\n0\r\n\r\n$/ },
  ])(
    'unreadable input after a request closes the connection after its answer while $while',
    async ({ path, end }) => {
      const socket = await open(portOf(app));
      const said = closed(socket);
      if (path === '/piecemeal') socket.once('data', () => socket.write('NONSENSE\r\n\r\n'));
      socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n${path === '/later' ? 'NONSENSE\r\n\r\n' : ''}`);
      const text = await said;
      expect(answersIn(text)).toEqual(['HTTP/1.1 200']);
      expect(text).toMatch(end);
    },
  );

  test('a client that does not take its answer', async () => {
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
  let app: TestApp;
  let port: number;
  const PROXY = '127.0.0.9';
  beforeAll(async () => {
    app = await startApp({ PUBLIC_URL: 'https://accounts.example', TRUSTED_PROXIES: `10.0.0.0/8,${PROXY}` });
    ({ port } = app.deps.config);
  });
  afterAll(() => app.close());
  const ask = (host: string) => `GET /api/ustat HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
  /** The status that the portal answers on a socket; undefined when it closes it. */
  const statusOn = (socket: Socket, text = ask('accounts.example')) =>
    new Promise<string | undefined>((resolve) => {
      socket.once('data', (said) => resolve(/^HTTP\/1\.1 (\d{3})/.exec(said.toString())?.[1]));
      socket.once('close', () => resolve(undefined));
      socket.write(text);
    });

  test('allows a network a hundred sockets, another network its own, and a proxy more (M2)', async () => {
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

  test('answers one request at a time on a socket, and closes it when a second one is sent early', async () => {
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
