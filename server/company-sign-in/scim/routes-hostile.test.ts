import { sql as raw } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import type { UserId } from '#contract/wire.ts';
import { company, type Company } from '#server/testing/company.ts';
import { companyDirectory } from '#server/testing/directories.ts';
import { confirmed, mailedCode, signIn } from '#server/testing/people.ts';
import { listRows, updateRows } from '#server/testing/rows.ts';
import { useApp } from '#server/testing/use-app.ts';
import { responseOf } from '#server/testing/visitor.ts';

const RATE_LIMIT_FACTOR = 100;
const app = useApp({ RATE_LIMIT_FACTOR: String(RATE_LIMIT_FACTOR) });
let org: Company;
let directory: Awaited<ReturnType<typeof companyDirectory>>;
beforeAll(async () => {
  org = await company(app);
  directory = await companyDirectory(app, org, await org.join('superAdmin'));
});

const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
const many = (count: number) =>
  JSON.stringify({ displayName: 'x', members: Array.from({ length: count }, () => ({ value: 'x' })) });

test.each<[what: string, status: number, scimType: string | undefined, body: string, type?: string]>([
  ['half a body', 400, 'invalidSyntax', '{"userName":'],
  ['a list', 400, 'invalidSyntax', '[]'],
  ['a text', 400, 'invalidSyntax', '"x"'],
  ['a prototype', 400, 'invalidSyntax', '{"__proto__":{"active":true},"userName":"x"}'],
  ['a constructor', 400, 'invalidSyntax', '{"constructor":{"prototype":{"active":true}},"userName":"x"}'],
  ['a dotted prototype', 400, 'invalidPath', '{"__proto__.active":true,"userName":"x"}'],
  ['a NUL', 400, 'invalidValue', String.raw`{"userName":"a\u0000b"}`],
  ['half a character', 400, 'invalidSyntax', String.raw`{"userName":"\ud83d"}`],
  ['depth', 400, 'invalidSyntax', nested(30)],
  ['10,001 values', 400, 'invalidSyntax', many(10_001)],
  ['512 KB', 413, undefined, JSON.stringify({ userName: 'x'.repeat(512 * 1024) })],
  ['another type', 415, undefined, 'userName=x', 'application/x-www-form-urlencoded'],
])(
  '%s is refused in the words of SCIM, and nothing is written (U9)',
  async (_, status, scimType, body, type = 'application/scim+json') => {
    for (const path of ['/Users', '/Groups']) {
      if (scimType === 'invalidValue' && path === '/Groups') continue;
      const answer = await directory.call('POST', path, body, { 'content-type': type });
      expect(answer).toMatchObject({
        status,
        body: {
          schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
          status: String(status),
          ...(scimType && { scimType }),
        },
      });
      expect(answer.body['detail']).toEqual(expect.any(String));
    }
    expect(await listRows(app, 'scim_users', ['id'], { org_id: org.orgId })).toEqual([]);
    expect(({} as { active?: unknown }).active).toBeUndefined();
  },
);

test.each(['', 'Bearer', 'Bearer x', 'Basic x', `Bearer scim_${'a'.repeat(43)}`, 'Bearer a b'])(
  'the authorization %j opens nothing',
  async (authorization) => {
    const answer = await fetch(`${app.url}/api/scim/v2/Users`, { headers: { authorization } });
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
  },
);

test('the cookie of a Super Admin opens nothing either', async () => {
  const { visitor } = await org.join('superAdmin');
  expect((await visitor.request('GET', '/api/scim/v2/Users')).status).toBe(401);
});

test('filters that nobody knows, unknown resources and methods', async () => {
  for (const filter of ['userName co "a"', 'x'.repeat(2000), 'password eq "x"'])
    expect((await directory.get(`/Users?filter=${encodeURIComponent(filter)}`)).body['scimType']).toBe(
      'invalidFilter',
    );
  for (const path of ['/Users/x', '/Groups/x', '/Schemas/x', '/ResourceTypes/x'])
    expect((await directory.get(path)).body['status']).toBe('404');
});

test.each([
  ['GET', '', 404],
  ['GET', '/Nothing', 404],
  ['GET', '/Users/x/y', 404],
  ['GET', '/Me', 501],
  ['POST', '/Bulk', 501],
  ['POST', '/.search', 501],
  ['POST', '/Users/.search', 501],
  ['POST', '/Schemas', 405],
  ['DELETE', '/Users', 405],
  ['PATCH', '/Groups/', 405],
  ['GET', '/Schemas?filter=id eq "x"', 403],
  ['GET', '//users/', 200],
  ['HEAD', '/Groups/', 200],
])('%s %j is %i in the words of SCIM, and a refused one is kept', async (method, path, status) => {
  const answer = await directory.call(method, path, method === 'POST' ? {} : undefined);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([
    status,
    'application/scim+json; charset=utf-8',
  ]);
  expect(answer.headers.get('allow')?.startsWith('GET')).toBe(status === 405 || undefined);
  const [token] = await listRows(app, 'scim_tokens', ['refused'], { org_id: org.orgId });
  expect(token?.refused[0]?.status === status).toBe(status >= 400);
  const body = answer.body as Readonly<Record<string, unknown>> | undefined;
  expect(body?.['status']).toBe(status >= 400 ? String(status) : undefined);
  await updateRows(app, 'scim_tokens', { org_id: org.orgId }, { refused: raw`'[]'` as never });
});

test('a stranger learns nothing of addresses, methods and sizes', async () => {
  for (const [method, path, body] of [
    ['GET', '/Nothing'],
    ['POST', '/Schemas'],
    ['POST', '/Users', 'x'.repeat(513 * 1024)],
  ] as const) {
    const headers = { authorization: 'Bearer x', 'content-type': 'application/scim+json' };
    const answer = await fetch(`${app.url}/api/scim/v2${path}`, { method, headers, ...(body && { body }) });
    expect(answer.status).toBe(401);
  }
});

test('the description of the endpoint names what it can do, without nulls', async () => {
  const all = await Promise.all(
    ['/ServiceProviderConfig', '/ResourceTypes', '/Schemas', '/ResourceTypes/User'].map(directory.get),
  );
  expect(all.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(all[0]?.body).toMatchObject({
    patch: { supported: true },
    filter: { supported: true, maxResults: 200 },
  });
  expect(JSON.stringify(all.map(({ body }) => body))).not.toContain('null');
});

const empty = (budget: string, most: number) =>
  app.deps.sql
    .updateTable('rate_limits')
    .set({ count: most * RATE_LIMIT_FACTOR })
    .where('key', 'like', `${budget}:%`)
    .execute();

test('an address gets no more mails a day than by invitations of an admin (U20)', async () => {
  const userName = `kim@${directory.domain}`;
  const { body } = await directory.post('/Users', { userName });
  const change = async (path: string, value: unknown) =>
    (await directory.patch(`/Users/${body.id}`, { op: 'replace', path, value })).status;
  expect(await change('userName', `lee@${directory.domain}`)).toBe(200);
  await empty('invitationMailsDay', 10);
  expect([await change('userName', userName), await change('active', false)]).toEqual([429, 200]);
});

test('a code to the former address ends with the address (U6)', async () => {
  const { email, visitor, id } = await confirmed(app, `lou@${directory.domain}`);
  responseOf(await visitor.put('/api/mfa', { mfa_enabled: 1 }));
  await org.add({ email, visitor, id: id as UserId }, 'sales');
  const { body } = await directory.post('/Users', { userName: email });
  const other = app.visitor();
  await signIn(other, email);
  const otp = await mailedCode(app, email);
  const value = `new@${directory.domain}`;
  expect(
    (await directory.patch(`/Users/${body.id}`, { op: 'replace', path: 'userName', value })).status,
  ).toBe(200);
  expect((await other.post('/api/verifyotp', { otp, contact: '', timezone: '' })).code).toBe('otp_expired');
});

test('a directory has 1,500 calls a minute (U9)', async () => {
  await empty('scimMinute', 1500);
  const { status, headers, body } = await directory.get('/Users');
  expect([status, body['status'], Number(headers.get('retry-after')) > 0]).toEqual([429, '429', true]);
});
