import { beforeAll, expect, test } from 'vitest';
import { company } from '#server/testing/company.ts';
import { companyDirectory } from '#server/testing/directories.ts';
import type { TestApp } from '#server/testing/start-app.ts';

type Json = Record<string, unknown>;
type Headers = Readonly<Record<string, string>>;
/**
 * A call with its answer, and its body, or the operations of a PATCH. `{domain}` stands for the company's, and `{kim}` for
 * the id in the answer to the call that `keeps` kim.
 */
export type Step = readonly [call: string, status: number, content?: object, body?: object, keeps?: string];

/** The calls of a client in their order, with the headers that it sends. */
export type Client = readonly (readonly [Headers, ...Step])[];

const MESSAGES = 'urn:ietf:params:scim:api:messages:2.0';
const number = expect.any(Number) as unknown;
const page = { totalResults: number, startIndex: number, itemsPerPage: number };
const list = { schemas: [`${MESSAGES}:ListResponse`], ...page };
const error = { schemas: [`${MESSAGES}:Error`], detail: expect.any(String) as unknown };

/** Makes published calls in order, as the directory of a new company. */
export function testSteps(app: TestApp, steps: Client) {
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
