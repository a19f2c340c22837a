import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import Fastify, { type FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { socialText } from '#words/social.ts';
import { createApp } from '#server/app.ts';
import { boundedQueue } from '#server/bounded-queue.ts';
import { demandBounds } from '#server/http/bounds.ts';
import { admissionFor } from '#server/http/admission.ts';
import { useApp } from '#server/testing/use-app.ts';
import { fakeWebApp } from '#server/testing/web-app.ts';

const webApp = fakeWebApp();
const app = useApp();
afterAll(() => rmSync(webApp, { recursive: true }));

test('every route waits in a queue or has another bound, and docs/security.md lists it', async () => {
  const portal = await createApp(app.deps, pino({ level: 'silent' }), webApp);
  await portal.ready();
  const routes = portal.bounds();
  await portal.close();

  const mounted: Record<string, string[]> = {};
  // A HEAD request costs as much as its GET.
  for (const { route, bound } of routes)
    if (bound && !route.startsWith('HEAD ')) (mounted[bound] ??= []).push(route);

  const text = readFileSync(path.join(import.meta.dirname, '../../docs/security.md'), 'utf8');
  const section = /^## Queues\n(.*?)^## /ms.exec(text)?.[1] ?? '';
  const documented = [...section.matchAll(/^- `(\w+)`.*?: (.*)$/gm)].map(([, bound = '', list = '']) => [
    bound,
    [...list.matchAll(/`([^`]+)`/g)].flatMap(([, route]) => route ?? []).toSorted(),
  ]);
  // The document only describes the routes of bounds that `queueOf` gives or pages share, and names all others.
  const described = new Set(['changes', 'forms', 'language', 'pictures', 'readers', 'strangers']);
  const sorted = Object.entries(mounted).map(([bound, list]) => [
    bound,
    described.has(bound) ? [] : list.toSorted(),
  ]);
  expect(documented).toEqual(sorted.toSorted(([one], [other]) => String(one).localeCompare(String(other))));
});

describe('when a queue is full', () => {
  let portal: FastifyInstance;
  beforeAll(async () => {
    const full = boundedQueue(0, 0);
    const admission = { ...admissionFor(1), readers: full, changes: full, elsewhere: full };
    portal = await createApp(app.deps, pino({ level: 'silent' }), webApp, admission);
  });
  afterAll(() => portal.close());
  const get = (url: string, cookie: string) =>
    portal.inject({ url, headers: { cookie, host: app.deps.config.publicUrl.host } });

  test('the area opens at / without a lookup of the caller', async () => {
    const page = await get('/', `portico=${'a'.repeat(43)}`);
    expect([page.statusCode, /<title>(\w+)/.exec(page.body)?.[1]]).toEqual([200, 'area']);
    expect((await get('/', '')).body).toContain('<title>public');
  });

  test.for([
    ['/login?redirectpath=%2Fnorthwind', 0],
    ['/signup?redirect_url=https%3A%2F%2Fevil.example', 0],
    ['/login?redirectpath=%2Fauthorize%3Frequest%3Dx', 1],
  ] as const)('%s opens, and waits only for the name of an application: %i', async ([path, times]) => {
    const readers = vi.spyOn(portal.admission, 'readers');
    expect((await get(path, '')).body).toContain('<title>public');
    expect(readers).toHaveBeenCalledTimes(times);
    readers.mockRestore();
  });

  test.for(['GET', 'POST'] as const)('%s of an application gets a page that asks to wait', async (method) => {
    const headers = {
      host: app.deps.config.publicUrl.host,
      'content-type': 'application/x-www-form-urlencoded',
    };
    const answer = await portal.inject({ method, url: '/oidc/auth?client_id=x', headers });
    expect(answer.headers.location).toBe(`${app.url}/authorize?error=overloaded`);
  });

  test('a return from a provider gets a page that asks to wait, and its visit stays valid', async () => {
    const page = await get('/api/auth/callback/google?state=x&code=y', 'portico-oauth=z');
    expect([page.statusCode, page.headers['retry-after'], page.headers['set-cookie']]).toEqual([
      503,
      '2',
      undefined,
    ]);
    expect(page.body).toContain(socialText.failures.tooMany);
  });
});

test('a portal with an unbounded route does not start', async () => {
  const portal = Fastify();
  demandBounds(portal);
  portal.get('/bounded', { config: { bound: 'memory' } }, () => 'x');
  portal.get('/forgotten', () => 'x');
  await expect(portal.ready()).rejects.toThrow('nothing bounds GET /forgotten, HEAD /forgotten');
});
