import fastifyCookie from '@fastify/cookie';
import Fastify from 'fastify';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { Refusal } from '#contract/errors.ts';
import { endpoint } from '#contract/endpoint.ts';
import { input } from '#contract/wire.ts';
import type { Lookups } from '#server/http/gate.ts';
import { roomFor } from '#server/http/room.ts';
import { serve } from '#server/http/serve.ts';

const held = () => {
  const { promise, resolve } = Promise.withResolvers<null>();
  return { work: () => promise, end: () => resolve(null) };
};

test('whoever comes when there is no room is told at once when to come back, and let in once somebody has left', async () => {
  const room = roomFor(2);
  const [one, two, three] = [held(), held(), held()];
  const inside = [room.enter(one.work), room.enter(two.work)];
  const refused = await room.enter(three.work);
  expect(refused instanceof Refusal && [refused.name, refused.detail]).toEqual([
    'unavailable',
    { retryAfterSeconds: 1 },
  ]);
  one.end();
  expect(await inside[0]).toBeNull();
  const late = room.enter(three.work);
  three.end();
  expect(await late).toBeNull();
  two.end();
});

test('what fails makes room, too', async () => {
  const room = roomFor(1);
  await expect(room.enter(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await room.enter(async () => 'in')).toBe('in');
});

test('a call is turned away when the process has no room; one that waits in a line of its own is not', async () => {
  const app = Fastify();
  app.decorate('cookieRules', {} as never);
  app.decorate('room', roomFor(1));
  await app.register(fastifyCookie);
  const { work, end } = held();
  const call = (method: 'GET' | 'POST') =>
    endpoint({ method, path: '/api/work', access: 'public', input: input({}), output: z.null() });
  const lookups = { strangersTurn: (change) => change() } as Partial<Lookups> as Lookups;
  serve(app, { get: call('GET'), post: call('POST') }, { get: work, post: async () => null }, lookups);
  const url = `${await app.listen({ port: 0, host: '127.0.0.1' })}/api/work`;
  const post = () =>
    fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' });

  const both = [fetch(url), fetch(url)];
  const refused = await Promise.race(both);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
  expect((await post()).status).toBe(200);
  end();
  const statuses = await Promise.all(both.map(async (answer) => (await answer).status));
  expect(new Set(statuses)).toEqual(new Set([200, 503]));
  expect((await fetch(url)).status).toBe(200);
  await app.close();
});
