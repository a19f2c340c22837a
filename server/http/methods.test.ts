import { beforeAll, describe, expect, test } from 'vitest';
import { api } from '#contract/api.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { iconPath, setIcon, tinyPng, upload } from '#server/testing/icons.ts';
import { founder } from '#server/testing/people.ts';
import { raw, type RawAnswer } from '#server/testing/raw.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf } from '#server/testing/visitor.ts';

const app = useApp();
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
