import * as z from 'zod/mini';
import { describe, expect, test } from 'vitest';
import { api } from '#contract/api.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { codeOf, errors } from '#contract/errors.ts';
import { errorText } from '#words/error.ts';
import { docsPage } from './docs-page.ts';
import { openApi } from './openapi.ts';
import { raw } from '#server/testing/raw.ts';
import { useApp } from '#server/testing/use-app.ts';

const endpoints = Object.values(api).flatMap((feature) => Object.values<Endpoint>(feature));
const document = openApi(new URL('http://localhost:3000'));
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
);
const pathOf = ({ path }: { path: string }) => path.replace(/:(\w+)/g, '{$1}');
const callName = (call: { method: string; path: string }) => `${call.method.toUpperCase()} ${pathOf(call)}`;

describe('served', () => {
  const app = useApp();

  test('/api/openapi.json is the document of this portal', async () => {
    const served = JSON.parse((await raw(app.url, 'GET', '/api/openapi.json')).text) as unknown;
    expect(served).toEqual(JSON.parse(JSON.stringify(openApi(app.deps.config.publicUrl))));
    expect(served).toMatchObject({ openapi: '3.1.0', servers: [{ url: app.url }] });
  });

  test.each(['/api/openapi.json', '/api/docs', '/api/docs/applications', '/api/docs/style.css'])(
    '%s is not sent again to a client that has it (M11)',
    async (path) => {
      const ask = (headers = {}) => raw(app.url, 'GET', path, { headers });
      const { etag = '' } = (await ask()).headers;
      expect(etag).toMatch(/^"[\w-]{43}"$/);
      for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
        const { status, text, headers } = await ask({ 'if-none-match': known });
        expect({ known, status, text, etag: headers.etag }).toEqual({ known, status: 304, text: '', etag });
      }
      expect((await ask({ 'if-none-match': '"other"' })).status).toBe(200);
    },
  );

  test('/api/docs shows every call and needs no script', async () => {
    const { text } = await raw(app.url, 'GET', '/api/docs');
    for (const { path, method } of operations)
      expect(text).toContain(`${method.toUpperCase()}</span> <code>${path}</code>`);
    expect(text).toContain('Example of a request');
    expect(text).toContain('Authentication');
    expect(text).toContain('email: string | null');
    expect(text).toContain('<p>image/png or image/jpeg</p>');
    expect(text).toContain('Body, multipart/form-data');
    expect(text).not.toMatch(/<script|<style|\son\w+=|style=/i);
    expect(text).toContain('href="/api/docs/style.css"');
    const style = await raw(app.url, 'GET', '/api/docs/style.css');
    expect(style.headers['content-type']).toMatch(/^text\/css/);
  });
});

test('the document covers exactly the calls of the contract', () => {
  expect(operations.map(callName).toSorted()).toEqual(endpoints.map(callName).toSorted());
  const ids = operations.map(({ operation }) => operation.operationId);
  expect(new Set(ids).size).toBe(ids.length);
});

/** Every object inside a value, with its path. */
function* objectsIn(value: unknown, at = '#'): Generator<[string, Record<string, unknown>]> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield [at, value as Record<string, unknown>];
  for (const [key, inner] of Object.entries(value)) yield* objectsIn(inner, `${at}/${key}`);
}

test('the document has the shape of OpenAPI 3.1', () => {
  const plain = JSON.parse(JSON.stringify(document)) as typeof document;
  expect(Object.keys(plain).toSorted()).toEqual(['components', 'info', 'openapi', 'paths', 'servers']);
  expect(plain.info).toMatchObject({
    title: expect.any(String) as string,
    version: expect.any(String) as string,
  });
  for (const { path, operation } of operations) {
    expect(path).toMatch(/^\/(api|drive)\/[a-z/{}]+$/i);
    expect(operation.summary).not.toBe('');
    for (const parameter of operation.parameters ?? [])
      expect(Object.keys(parameter).toSorted()).toEqual(['example', 'in', 'name', 'required', 'schema']);
    for (const [status, response] of Object.entries(operation.responses)) {
      expect(status).toMatch(/^[2-5]\d\d$/);
      expect(response).toHaveProperty('description');
    }
  }
  const types = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'];
  const objects = [...objectsIn(plain)];
  const references = new Set(objects.flatMap(([, { $ref }]) => $ref ?? []));
  expect([...references]).toEqual(['#/components/schemas/Refusal']);
  // OpenAPI 3.1 has no `nullable`, and `$schema` would detach a schema from the document's dialect.
  expect(objects.filter(([, schema]) => 'nullable' in schema || '$schema' in schema)).toEqual([]);
  const isSchema = /\/schema$|\/items$|\/anyOf\/\d+$|\/properties\/\w+$/;
  const typed = objects.filter(([at, schema]) => isSchema.test(at) && 'type' in schema);
  expect(typed.length).toBeGreaterThan(100);
  expect(types).toEqual(expect.arrayContaining([...new Set(typed.flatMap(([, schema]) => schema['type']))]));
});

test('a call lists its input, its access and its refusals', () => {
  const invite = document.paths['/api/orgusers']?.['post'];
  expect(invite?.security).toEqual([{ session: [] }]);
  expect(invite?.requestBody?.content['application/json']?.schema).toMatchObject({
    type: 'object',
    required: ['org_id', 'role_id', 'first_name', 'email_id'],
    additionalProperties: false,
    properties: { org_id: { type: 'integer' }, last_name: { type: 'string' } },
  });
  const init = document.paths['/api/init']?.['get'];
  expect(init?.parameters).toEqual([
    expect.objectContaining({ name: 'org_id', in: 'query', required: false }),
  ]);
  expect(init).not.toHaveProperty('requestBody');
  expect(invite?.requestBody?.required).toBe(true);
  expect(document.paths['/api/logout']?.['delete']?.requestBody?.required).toBe(false);
  expect(document.paths['/api/signin']?.['post']).not.toHaveProperty('security');
  expect(document.paths['/drive/appicon']?.['post']?.requestBody?.content).toMatchObject({
    'multipart/form-data': {
      schema: { properties: { file: { format: 'binary' }, org_id: { type: 'string' } } },
    },
  });
  expect(document.paths['/drive/appicon']?.['get']?.responses).toMatchObject({
    200: { content: { 'image/png': {}, 'image/jpeg': {} } },
  });
  expect(document.paths['/api/activesession']?.['post']?.responses).toHaveProperty('204');
  for (const endpoint of endpoints) {
    const responses = document.paths[pathOf(endpoint)]?.[endpoint.method.toLowerCase()]?.responses ?? {};
    for (const failure of endpoint.failures) {
      const response = (responses as Record<string, { description: string }>)[errors[failure].status];
      expect(response?.description).toContain(`\`${codeOf(failure)}\`: ${errorText[failure]}`);
    }
  }
});

describe('examples', () => {
  type Content = Record<string, { example?: unknown; examples?: Record<string, { value: unknown }> }>;
  type Response = { readonly content?: Content };
  const all = operations.map(({ path, method, operation }) => {
    const call = callName({ method, path });
    const endpoint = endpoints.find((candidate) => callName(candidate) === call);
    if (!endpoint) throw new Error(`${call} is no call`);
    const query = (operation.parameters ?? []).map(({ name, example }) => [name, example]);
    const body = operation.requestBody?.content as Content | undefined;
    const request = body ? body['application/json']?.example : Object.fromEntries(query);
    const responses = Object.entries(operation.responses as Record<string, Response>);
    const answer = responses.find(([status]) => status === '200')?.[1].content?.['application/json'];
    return { call, endpoint, request: request as unknown, answer: answer?.example, responses };
  });

  // A file has no example.
  const withoutFile = all.filter(({ endpoint }) => endpoint.body !== 'form');
  test.each(withoutFile)('$call accepts its example request', ({ endpoint, request }) => {
    expect(z.safeDecode(endpoint.input, request as never).error).toBeUndefined();
  });

  const jsonCalls = all.filter(({ endpoint }) => endpoint.answers === undefined);
  test.each(jsonCalls)('the example answer of $call fits its schema', ({ endpoint, answer }) => {
    const { success, response } = answer as { success: boolean; response: never };
    expect([success, z.safeDecode(endpoint.output, response).error]).toEqual([true, undefined]);
  });

  test.each(all)('$call lists each of its refusals', ({ endpoint, responses }) => {
    const refused = responses.flatMap(([status, { content }]) =>
      Object.entries(content?.['application/json']?.examples ?? {}).map(([name, { value }]) => ({
        name,
        status,
        value,
      })),
    );
    const names = refused.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining([...endpoint.failures, 'misdirected_request']));
    for (const { name, status, value } of refused) {
      const { status: expected } = errors[name as keyof typeof errors];
      const text = errorText[name as keyof typeof errors];
      const error = { code: codeOf(name as keyof typeof errors), details: text };
      expect({ status: String(expected), value }).toEqual({ status, value: { success: false, error } });
    }
  });
});

test('the cookie has another name under https', () => {
  const { session } = openApi(new URL('https://accounts.example.com')).components.securitySchemes;
  expect(session).toMatchObject({ type: 'apiKey', in: 'cookie', name: '__Host-portico' });
});

test('all text of the contract is escaped', () => {
  const evil = `"><script>alert('x')</script>&`;
  const operation = structuredClone(document.paths['/api/user']?.['put']);
  if (!operation) throw new Error('PUT /api/user is gone');
  Object.assign(operation, { operationId: evil, summary: evil, tags: [evil] });
  Object.assign(operation.requestBody?.content['application/json']?.schema ?? {}, {
    properties: { [evil]: { enum: [evil] }, other: { const: evil }, third: { format: evil } },
  });
  Object.assign(operation.responses, { 400: { description: evil, content: {} } });
  const page = docsPage({ ...document, paths: { [`/api/${evil}`]: { put: operation } } });
  expect(page).not.toContain('<script');
  expect(page).not.toContain(`"><`.concat('script'));
  expect(page.match(/&lt;script&gt;alert\(&#39;x&#39;\)&lt;\/script&gt;&amp;/g)?.length).toBeGreaterThan(8);
});
