import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import Fastify, { type FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { api } from '#contract/api.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { socialText } from '#words/social.ts';
import { createApp } from '#server/app.ts';
import { boundedQueue } from '#server/bounded-queue.ts';
import { admissionFor } from './admission.ts';
import { demandBounds } from './bounds.ts';
import { iconPath, setIcon, tinyPng, upload } from '#server/testing/icons.ts';
import { founder } from '#server/testing/people.ts';
import { raw, type RawAnswer } from '#server/testing/raw.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf } from '#server/testing/visitor.ts';
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

let maya: Awaited<ReturnType<typeof founder>>;
let cookie: string;
beforeAll(async () => {
  maya = await founder(app);
  cookie = `portico=${maya.visitor.session}`;
});

const endpoints = Object.values(api).flatMap((feature) => Object.values<Endpoint>(feature));
const paths = [...new Set(endpoints.map(({ path }) => path))];
/** Calls that a HEAD may run: GETs without effects. */
const reads = endpoints.filter(({ method, alsoWrites }) => method === 'GET' && !alsoWrites);
const readPaths = reads.map(({ path }) => path);

const headOf = ({ headers }: RawAnswer) => {
  const { 'x-request-id': _, date: __, ...rest } = headers;
  return rest;
};
const both = async (path: string, headers: Record<string, string>) => {
  const [get, head] = [
    await raw(app.url, 'GET', path, { headers }),
    await raw(app.url, 'HEAD', path, { headers }),
  ];
  expect({ path, status: head.status, headers: headOf(head), text: head.text }).toEqual({
    path,
    status: get.status,
    headers: headOf(get),
    text: '',
  });
  return get;
};

describe('HEAD', () => {
  test('has the status and headers of GET for every caller', async () => {
    for (const path of readPaths) {
      await both(path, {});
      await both(path, { cookie });
      const ofOrg = await both(`${path}?org_id=${maya.orgId}`, { cookie });
      expect(Number(ofOrg.headers['content-length'])).toBeGreaterThan(0);
    }
    expect((await both('/api/init', { cookie })).status).toBe(200);
  });

  test('works for a picture, too', async () => {
    const answer = await upload(app, maya, maya.orgId, { bytes: tinyPng });
    const { file_id: fileId } = responseOf<{ file_id: string }>(answer);
    responseOf(await setIcon(maya, maya.orgId, fileId));
    const { status, headers } = await both(iconPath(maya.orgId, fileId), {});
    expect([status, headers['content-type']]).toEqual([200, 'image/png']);
  });

  test('is not found on paths without GET and on paths whose GET writes', async () => {
    const others = paths.filter((path) => !readPaths.includes(path));
    expect(others).toContain('/api/auditlogs/export');
    expect(others).toContain('/api/auth');
    expect(others).toContain('/api/signin');
    for (const path of [...others, '/api/auth/callback/google']) {
      const { status, text } = await raw(app.url, 'HEAD', path, { headers: { cookie } });
      expect({ path, status, text }).toEqual({ path, status: 404, text: '' });
    }
  });
});
