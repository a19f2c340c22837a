import * as z from 'zod/mini';
import { setTimeout as pause } from 'node:timers/promises';
import Fastify from 'fastify';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Download } from '#contract/activity/calls.ts';
import { endpoint } from '#contract/endpoint.ts';
import fastifyCookie from '@fastify/cookie';
import type { Lookups } from './gate.ts';
import { admissionFor } from './admission.ts';
import { serve } from './serve.ts';

const CHUNK = 'x'.repeat(64 * 1024);
let chunks = 0;
let ended = false;
let breaksAt = Number.POSITIVE_INFINITY;
let sessionEndsAt = Number.POSITIVE_INFINITY;

async function* endless() {
  try {
    for (;;) {
      chunks += 1;
      if (chunks > breaksAt) throw new Error('the database is away');
      await pause(0);
      yield CHUNK;
    }
  } finally {
    ended = true;
  }
}

const app = Fastify();
let url: string;
beforeAll(async () => {
  app.decorate('cookieRules', {} as never);
  app.decorate('admission', admissionFor(1));
  await app.register(fastifyCookie);
  const file: Download = {
    mediaType: 'text/csv',
    fileName: 'a.csv',
    content: { [Symbol.asyncIterator]: endless },
  };
  const isFile = { answers: 'file', output: z.custom<Download>() } as const;
  const get = endpoint({ method: 'GET', path: '/api/file', access: 'public', ...isFile });
  const of = endpoint({ method: 'GET', path: '/api/file/of', access: 'session', ...isFile });
  const lookups = {
    findCaller: async () => ({ userId: 1, sessionId: 1 }),
    standsNow: async () => chunks < sessionEndsAt,
    servesAccount: async () => true,
  };
  serve(app, { get, of }, { get: async () => file, of: async () => file }, lookups as unknown as Lookups);
  url = `${await app.listen({ port: 0, host: '127.0.0.1' })}/api/file`;
});
beforeEach(() => {
  [chunks, ended, breaksAt] = [0, false, Number.POSITIVE_INFINITY];
});
afterAll(() => app.close());

test('a file is produced as fast as the client reads it, and no longer once the client has gone', async () => {
  const gone = new AbortController();
  const reader = (await fetch(url, { signal: gone.signal })).body?.getReader();
  await reader?.read();
  // The buffers of both ends fill up, and then production stops.
  let before = -1;
  await expect
    .poll(
      () => {
        const isPaused = before === chunks;
        before = chunks;
        return isPaused;
      },
      { interval: 200 },
    )
    .toBe(true);
  expect(chunks).toBeLessThan(1000);
  expect(ended).toBe(false);
  gone.abort();
  await expect.poll(() => ended).toBe(true);
});

test('a file that breaks in the middle does not look complete', async () => {
  breaksAt = 3;
  const answer = await fetch(url);
  expect(answer.status).toBe(200);
  await expect(answer.text()).rejects.toThrow('terminated');
  expect(ended).toBe(true);
});

test("a file breaks off as soon as the caller's session has ended (D6)", async () => {
  sessionEndsAt = 5;
  const answer = await fetch(`${url}/of`, { headers: { cookie: 'portico=x' } });
  expect(answer.status).toBe(200);
  await expect(answer.text()).rejects.toThrow('terminated');
  expect([chunks, ended]).toEqual([5, true]);
});
