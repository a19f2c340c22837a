import { PassThrough } from 'node:stream';
import { setImmediate as endOfTurn } from 'node:timers/promises';
import fastifyCookie from '@fastify/cookie';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { drive } from '#contract/drive/calls.ts';
import { endpoint } from '#contract/endpoint.ts';
import { Refusal } from '#contract/errors.ts';
import { input, type OrgId } from '#contract/wire.ts';
import { readConfig } from '#server/config.ts';
import type { Lookups } from './gate.ts';
import { takeForms } from './form-body.ts';
import { queueOf, admissionFor, waitedMs } from './admission.ts';
import { type Handlers, serve, waitingFor } from './serve.ts';

const AT_ONCE = 16;
const WAITING = 48;
const PATIENCE_MS = 900;
const hashes = readConfig({}).hashConcurrency;
const STRANGERS = 2 * hashes + 64;

const call = (method: 'GET' | 'POST', path: `/api/${string}`) =>
  endpoint({ method, path, access: 'public', input: input({}), output: z.null() });
const calls = {
  read: call('GET', '/api/read'),
  signIn: call('POST', '/api/signin'),
} as const;
const away = (path: `/api/${string}`) => ({ ...call('POST', path), waitsElsewhere: true }) as const;
const awayCalls = { one: away('/api/one'), other: away('/api/other') };
const form = { ...call('POST', '/api/form'), access: 'session', body: 'form' } as const;
const lookups = {
  findCaller: async (userId: string) => ({ userId, confirmed: !userId.startsWith('new') }),
  countUpload: async () => undefined,
  servesAccount: async () => true,
} as unknown as Lookups;
const office = '192.0.2.1';
const home = '198.51.100.1';

let app: FastifyInstance;
let works: (() => void)[];
/** The work of each call; the test ends it. */
const work = () => new Promise<null>((resolve) => void works.push(() => resolve(null)));
const end = async () => {
  for (let ended = 0; ended < works.length; await settled())
    for (; ended < works.length; ended += 1) works[ended]?.();
};
const read = (from: string) => app.inject({ method: 'GET', url: '/api/read', remoteAddress: from });
const signIn = (from: string) =>
  app.inject({ method: 'POST', url: '/api/signin', remoteAddress: from, payload: {} });
const many = <T>(count: number, send: (nth: number) => Promise<T>) =>
  Array.from({ length: count }, (_, nth) => send(nth));
const statusesOf = async (answers: readonly ReturnType<typeof read>[]) =>
  Object.fromEntries(
    [...Map.groupBy(await Promise.all(answers), ({ statusCode }) => statusCode)].map(([status, all]) => [
      status,
      all.length,
    ]),
  );
/** Until everything sent has been read. */
const settled = async () => {
  for (let turn = 0; turn < 50; turn += 1) await endOfTurn();
};

beforeEach(async () => {
  works = [];
  app = Fastify();
  app.decorate('languages', ['en']);
  app.decorate('cookieRules', {} as never);
  app.decorate('admission', admissionFor(hashes));
  await app.register(fastifyCookie);
  serve(app, calls, { read: work, signIn: work }, {} as Lookups);
  const ofOrganization = (id: number) => waitingFor(async () => id as OrgId, work);
  const waiting = { one: ofOrganization(1), other: ofOrganization(2) } as Handlers<typeof awayCalls>;
  serve(app, awayCalls, waiting, {} as Lookups);
  await app.register(async (uploads) => {
    takeForms(uploads);
    serve(uploads, { form }, { form: work }, lookups);
  });
  await app.ready();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
});
afterEach(async () => {
  vi.useRealTimers();
  await app.close();
});

describe('a process bounds its calls (R3, M4):', () => {
  test('a full queue refuses a call with Retry-After, and still takes one from another network', async () => {
    const answers = many(AT_ONCE + WAITING, () => read(office));
    await settled();
    const { statusCode, headers } = await read(office);
    expect([statusCode, headers['retry-after']]).toEqual([503, '2']);
    const other = read(home);
    await settled();
    await end();
    expect((await other).statusCode).toBe(200);
    expect(await statusesOf(answers)).toEqual({ 200: AT_ONCE + WAITING - 1, 503: 1 });
    const again = read(office);
    await settled();
    await end();
    expect((await again).statusCode).toBe(200);
  });

  test.for<[text: string | undefined, waited: number]>([
    [undefined, 0],
    ['t=1772442000.250', 750],
    ['t=1772442000.250000', 750],
    ['t=1772442000250', 750],
    ['t=1772442001.000', 0],
    ['t=1772442002.000', 0],
    ['t=1772441996.001', 4999],
    ['t=1772441996.000', 0],
    // Whole seconds would be wrong by up to one.
    ['t=1772442000', 0],
    ['t=17724420002', 0],
    ['t=1772442000250.5', 0],
    ['t=0', 0],
    ['1772442000250', 0],
    ['t=1e12', 0],
    ['t=', 0],
    ['t=1772442000250, t=1772442000250', 0],
    ['yesterday', 0],
  ])('x-request-start %o: waited %d ms', ([text, waited]) => {
    vi.setSystemTime(1772442001_000);
    expect(waitedMs({ headers: text === undefined ? {} : { 'x-request-start': text } })).toBe(waited);
  });

  test('time at the balancer counts: a call whose patience is over runs only if a slot is free', async () => {
    const from = (waited: number) => ({ 'x-request-start': `t=${Date.now() - waited}` });
    const ask = (waited: number) =>
      app.inject({ method: 'GET', url: '/api/read', remoteAddress: office, headers: from(waited) });
    const free = ask(2000);
    await settled();
    const answers = many(AT_ONCE - 1, () => read(office));
    await settled();
    expect(works).toHaveLength(AT_ONCE);
    expect((await ask(PATIENCE_MS)).statusCode).toBe(503);
    const arrivals: string[] = [];
    void ask(PATIENCE_MS - 100).then(() => arrivals.push('waited'));
    void read(office).then(() => arrivals.push('came'));
    await settled();
    await vi.advanceTimersByTimeAsync(99);
    await settled();
    expect(arrivals).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    await settled();
    expect(arrivals).toEqual(['waited']);
    await end();
    expect((await free).statusCode).toBe(200);
    expect(await statusesOf(answers)).toEqual({ 200: AT_ONCE - 1 });
  });

  test('the time in which a body arrives does not count', async () => {
    const answers = many(2 * hashes, (nth) => signIn(`203.0.${nth}.1`));
    await settled();
    const body = new PassThrough();
    const slow = app.inject({
      method: 'POST',
      url: '/api/signin',
      headers: { 'content-type': 'application/json', 'x-request-start': `t=${Date.now() - 1000}` },
      payload: body,
    });
    let isAnswered = false;
    void slow.then(() => (isAnswered = true));
    await settled();
    vi.setSystemTime(Date.now() + 3900);
    body.end('{}');
    await settled();
    await vi.advanceTimersByTimeAsync(3999);
    await settled();
    expect(isAnswered).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect((await slow).statusCode).toBe(503);
    await end();
    expect(await statusesOf(answers)).toEqual({ 200: 2 * hashes });
  });

  test.for([
    ['readers', AT_ONCE, [PATIENCE_MS, 750]],
    ['changes', 6, [PATIENCE_MS, 500]],
    ['forms', 2, [8000, 4000]],
  ] as const)(
    'of one sender run in %s: %d; more wait %o ms, less in an overload',
    async ([name, atOnce, waits]) => {
      const queue = admissionFor(hashes)[name];
      const answers = many(atOnce, () => queue(work, office));
      for (const patience of waits) {
        const results: unknown[] = [];
        void queue(work, office).then((result) => results.push(result));
        await settled();
        expect(works).toHaveLength(atOnce);
        await vi.advanceTimersByTimeAsync(patience - 1);
        expect(results).toEqual([]);
        await vi.advanceTimersByTimeAsync(1);
        expect(results).toEqual([expect.any(Refusal)]);
      }
      await end();
      expect(await Promise.all(answers)).toEqual(Array.from({ length: atOnce }, () => null));
    },
  );

  const send = (person: string, payload: string) => {
    const headers = { 'content-type': 'multipart/form-data; boundary=x', cookie: `portico=${person}` };
    return app.inject({ method: 'POST', url: '/api/form', headers, payload, remoteAddress: office });
  };
  test('32 forms run at once, two of a person; waiting ones are not read, and stop nobody else (P18)', async () => {
    const served = many(2, () => send('Maya', '--x--\r\n'));
    await settled();
    let status = 0;
    const broken = send('Maya', '--x');
    void broken.then(({ statusCode }) => (status = statusCode));
    const others = many(30, (nth) => send(`person ${nth}`, '--x--\r\n'));
    await settled();
    const waiting = send('Tom', '--x--\r\n');
    await settled();
    expect([works.length, status]).toEqual([32, 0]);
    works[0]?.();
    await settled();
    expect([works.length, status]).toEqual([33, 400]);
    await end();
    expect((await waiting).statusCode).toBe(200);
    expect(await statusesOf([...served, ...others])).toEqual({ 200: 32 });
  });

  test('people without a confirmed address share the slots of their network (P18)', async () => {
    const answers = many(3, (nth) => send(`new ${nth}`, '--x--\r\n'));
    await settled();
    expect(works).toHaveLength(2);
    await end();
    expect(await statusesOf(answers)).toEqual({ 200: 3 });
  });

  test('the body of a refused call is not read', async () => {
    const answers = many(STRANGERS, (nth) => signIn(`203.0.${nth}.1`));
    await settled();
    const broken = { 'content-type': 'application/json' };
    const ask = () =>
      app.inject({ method: 'POST', url: '/api/signin', headers: broken, payload: '{', remoteAddress: home });
    expect((await ask()).statusCode).toBe(503);
    await end();
    await Promise.all(answers);
    expect((await ask()).statusCode).toBe(400);
  });

  test('a call that waits for a server takes a turn of its organization, from whatever network, and no slot of others', async () => {
    const ask = (path: string, nth: number) =>
      app.inject({ method: 'POST', url: path, remoteAddress: `203.0.${nth}.1`, payload: {} });
    const first = many(40, (nth) => ask('/api/one', nth));
    await settled();
    // Eight of one organization run, so the other one starts at once.
    expect(works.length).toBe(8);
    const others = many(8, (nth) => ask('/api/other', nth));
    await settled();
    expect(works.length).toBe(16);
    const readers = many(16, () => read(office));
    await settled();
    expect(works.length).toBe(32);
    await end();
    expect(await statusesOf([...first, ...others, ...readers])).toEqual({ 200: 64 });
  });

  test('reads, pictures, changes, forms, strangers, directories and calls to foreign servers have a queue each', () => {
    const get = { ...calls.read, access: 'session' } as const;
    const put = { ...calls.signIn, access: 'session' } as const;
    const written = { ...get, alsoWrites: true } as const;
    const away = { ...calls.read, waitsElsewhere: true } as const;
    const ofEach = [get, calls.read, drive.icon, put, written, drive.uploadIcon, calls.signIn, away];
    expect(ofEach.map(queueOf)).toEqual(
      'readers readers pictures changes changes forms strangers elsewhere'.split(' '),
    );
    const admission = admissionFor(1);
    expect(new Set(Object.values(admission)).size).toBe(7);
  });
});
