import { beforeAll, expect, test } from 'vitest';
import { company, type Company, type Worker } from '#server/testing/company.ts';
import type { TestApp } from '#server/testing/start-app.ts';
import { responseOf } from '#server/testing/visitor.ts';

type Json = Record<string, unknown>;
export type Scim = ReturnType<typeof scimClient>;

/** A company directory that calls over HTTP. */
export function scimClient({ url }: Pick<TestApp, 'url'>, token: string) {
  const call = async (method: string, path: string, body?: unknown, headers: Headers = {}) => {
    const type = body !== undefined && { 'content-type': 'application/scim+json' };
    const answer = await fetch(`${url}/api/scim/v2${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...type, ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await answer.text();
    return {
      status: answer.status,
      headers: answer.headers,
      body: (text === '' ? undefined : JSON.parse(text)) as Json & { id: string },
    };
  };
  return {
    call,
    get: (path: string) => call('GET', path),
    post: (path: string, body: unknown) => call('POST', path, body),
    put: (path: string, body: unknown) => call('PUT', path, body),
    patch: (path: string, ...operations: object[]) => call('PATCH', path, { Operations: operations }),
    delete: (path: string) => call('DELETE', path),
    find: async (filter: string, of = 'Users') => {
      const { body } = await call('GET', `/${of}?filter=${encodeURIComponent(filter)}`);
      return body['Resources'] as Json[];
    },
  };
}

type Headers = Readonly<Record<string, string>>;
/**
 * A call with its answer, and its body, or the operations of a PATCH. `{domain}` stands for the company's, and `{kim}` for
 * the id in the answer to the call that `keeps` kim.
 */
export type Step = readonly [call: string, status: number, content?: object, body?: object, keeps?: string];

const MESSAGES = 'urn:ietf:params:scim:api:messages:2.0';
const number = expect.any(Number) as unknown;
const page = { totalResults: number, startIndex: number, itemsPerPage: number };
const list = { schemas: [`${MESSAGES}:ListResponse`], ...page };
const error = { schemas: [`${MESSAGES}:Error`], detail: expect.any(String) as unknown };

/** Makes published calls in order, as the directory of a new company. */
export function testSteps(app: TestApp, steps: readonly (readonly [Headers, ...Step])[]) {
  const known = new Map<string, string>();
  let directory: Awaited<ReturnType<typeof companyDirectory>>;
  beforeAll(async () => {
    const org = await company(app);
    directory = await companyDirectory(app, org, await org.join('superAdmin'));
    known.set('domain', directory.domain);
  });
  const filled = (text: string) => text.replace(/\{(\w+)\}/g, (all, name: string) => known.get(name) ?? all);
  const named = (text: string) =>
    [...known].reduce((rest, [name, value]) => rest.replaceAll(value, `{${name}}`), text);
  const patchOf = (Operations: object) => ({ schemas: [`${MESSAGES}:PatchOp`], Operations });
  for (const [at, [headers, line, status, content = {}, given, keeps]] of steps.entries())
    test(`step ${at}: ${line}`, async () => {
      const [method = '', ...path] = line.split(' ');
      const json = given && filled(JSON.stringify(Array.isArray(given) ? patchOf(given) : given));
      const answer = await directory.call(method, filled(path.join(' ')), json, headers);
      const body = (answer.body as Json | undefined) ?? {};
      if (keeps !== undefined) known.set(keeps, String(body['id']));
      expect([answer.status, JSON.parse(named(JSON.stringify(body)))]).toMatchObject([status, content]);
      const shape = status < 400 ? 'Resources' in body && list : { ...error, status: String(status) };
      expect(body).toMatchObject({ ...shape });
      const type = status === 204 ? null : 'application/scim+json; charset=utf-8';
      expect(answer.headers.get('content-type')).toBe(type);
    });
}

/** A directory of the organization, with a proven domain. Its new people get the role Sales. */
export async function companyDirectory(app: TestApp, org: Company, boss: Worker) {
  const { domain } = await org.newDomain({ isProven: true });
  const { token } = responseOf<{ token: string }>(
    await boss.visitor.post('/api/orgs/directory', { org_id: org.orgId, role_id: org.roles.sales }),
  );
  return { ...scimClient(app, token), domain, token };
}
