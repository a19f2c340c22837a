import type { Company, Worker } from './company.ts';
import type { TestApp } from './start-app.ts';
import { responseOf } from './visitor.ts';

type Json = Record<string, unknown>;
export type Scim = ReturnType<typeof scimClient>;

/** A company directory that calls over HTTP. */
export function scimClient({ url }: Pick<TestApp, 'url'>, token: string) {
  const call = async (
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ) => {
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

/** A directory of the organization, with a proven domain. Its new people get the role Sales. */
export async function companyDirectory(app: TestApp, org: Company, boss: Worker) {
  const { domain } = await org.newDomain({ isProven: true });
  const { token } = responseOf<{ token: string }>(
    await boss.visitor.post('/api/orgs/directory', { org_id: org.orgId, role_id: org.roles.sales }),
  );
  return { ...scimClient(app, token), domain, token };
}
