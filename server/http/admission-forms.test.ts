import { setImmediate as endOfTurn } from 'node:timers/promises';
import fastifyCookie from '@fastify/cookie';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { input } from '#contract/wire.ts';
import { takeForms } from '#server/http/form-body.ts';
import type { Lookups } from '#server/http/gate.ts';
import { admissionFor } from '#server/http/admission.ts';
import { serve } from '#server/http/serve.ts';

const FORMS = { atOnce: 16, each: 4, waiting: 48, patienceMs: [8000, 4000] };
const form = {
  ...endpoint({ method: 'POST', path: '/api/form', access: 'public', input: input({}), output: z.null() }),
  body: 'form',
} as const;
const office = '192.0.2.1';
const home = '198.51.100.1';

const lookups = { findCaller: async () => null } as unknown as Lookups;

let app: FastifyInstance;
let works: (() => void)[];
/** The work on each form that was read; the test ends it. */
const work = () => new Promise<null>((resolve) => void works.push(() => resolve(null)));
const end = async () => {
  for (let ended = 0; ended < works.length; await settled())
    for (; ended < works.length; ended += 1) works[ended]?.();
};
const settled = async () => {
  for (let turn = 0; turn < 50; turn += 1) await endOfTurn();
};
const sendForm = (from: string, payload = '--x--\r\n', session = 'somebody') => {
  const headers = { 'content-type': 'multipart/form-data; boundary=x', cookie: `portico=${session}` };
  return app.inject({ method: 'POST', url: '/api/form', headers, payload, remoteAddress: from });
};
const many = (count: number, send: (nth: number) => ReturnType<typeof sendForm>) =>
  Array.from({ length: count }, (_, nth) => send(nth));
const statusesOf = async (answers: readonly ReturnType<typeof sendForm>[]) =>
  (await Promise.all(answers)).map(({ statusCode }) => statusCode);
const served = (count: number) => Array.from({ length: count }, () => 200);

beforeEach(async () => {
  works = [];
  app = Fastify();
  app.decorate('cookieRules', {} as never);
  app.decorate('admission', admissionFor(1));
  await app.register(fastifyCookie);
  takeForms(app);
  serve(app, { form }, { form: work }, lookups);
  await app.ready();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
});
afterEach(async () => {
  vi.useRealTimers();
  await app.close();
});

test('four forms of a network are read at a time, sixteen in all; waiting ones are not read', async () => {
  const answers = many(FORMS.each, () => sendForm(office));
  await settled();
  let status = 0;
  const broken = sendForm(office, '--x');
  void broken.then(({ statusCode }) => (status = statusCode));
  await settled();
  expect([works.length, status]).toEqual([FORMS.each, 0]);

  const others = many(FORMS.atOnce - FORMS.each, (nth) => sendForm(`203.0.113.${nth}`));
  await settled();
  const waiting = sendForm(home);
  await settled();
  expect(works).toHaveLength(FORMS.atOnce);

  // The slot that the office frees goes to its waiting form, and the next free slot to home.
  works[0]?.();
  works[FORMS.each]?.();
  await settled();
  expect([works.length, status]).toEqual([FORMS.atOnce + 1, 400]);
  await end();
  expect((await waiting).statusCode).toBe(200);
  expect(await statusesOf([...answers, ...others])).toEqual(served(FORMS.atOnce));
});

test('a form that finds its queue full is refused unread, and a form from another network is taken', async () => {
  const answers = many(FORMS.each + FORMS.waiting, () => sendForm(office));
  await settled();
  expect((await sendForm(office, '--x')).statusCode).toBe(503);
  const other = sendForm(home);
  await settled();
  await end();
  expect((await other).statusCode).toBe(200);
  expect(await statusesOf(answers)).toEqual(served(FORMS.each + FORMS.waiting));
});

test('people behind one address take turns, so nobody waits for all forms of another person', async () => {
  const flood = many(12, () => sendForm(office));
  await settled();
  const other = sendForm(office, '--x--\r\n', 'colleague');
  await settled();
  let status = 0;
  void other.then(({ statusCode }) => (status = statusCode));
  expect(works).toHaveLength(FORMS.each);
  // One of the flood is next, then the colleague.
  for (const next of [0, 1]) {
    works[next]?.();
    await settled();
  }
  works.at(-1)?.();
  await settled();
  expect(status).toBe(200);
  await end();
  expect(await statusesOf(flood)).toEqual(served(12));
});

test('a form waits eight seconds for its turn, and four during an overload', async () => {
  const answers = many(FORMS.each, () => sendForm(office));
  await settled();
  for (const patience of FORMS.patienceMs) {
    let status = 0;
    void sendForm(office).then(({ statusCode }) => (status = statusCode));
    await settled();
    await vi.advanceTimersByTimeAsync(patience - 1);
    await settled();
    expect(status).toBe(0);
    await vi.advanceTimersByTimeAsync(1);
    await settled();
    expect(status).toBe(503);
  }
  await end();
  expect(await statusesOf(answers)).toEqual(served(FORMS.each));
});
