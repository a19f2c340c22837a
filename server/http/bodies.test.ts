import { beforeAll, describe, expect, test } from 'vitest';
import { api } from '#contract/api.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { JSON_BODY_MAX_BYTES } from '#contract/limits.ts';
import { fieldText } from '#words/field.ts';
import { serverFieldText } from '#words/server-field.ts';
import { founder, type Person, signedUp } from '#server/testing/people.ts';
import { codeIn, raw, type RawAnswer } from '#server/testing/raw.ts';
import { useApp } from '#server/testing/use-app.ts';

const app = useApp();
let maya: Person & { orgId: number };
beforeAll(async () => {
  maya = await founder(app);
});

const json = 'application/json';
const post = (type: string | undefined, body?: string | Uint8Array, headers: Record<string, string> = {}) =>
  raw(app.url, 'POST', '/api/signup', {
    headers: { ...(type !== undefined && { 'content-type': type }), ...headers },
    ...(body !== undefined && { body }),
  });

// An empty object lacks every field, so `invalid_input` proves that the type was accepted.
test.for([
  { type: json, code: 'invalid_input' },
  { type: 'application/json;charset="UTF-8"', code: 'invalid_input' },
  { type: 'application/json; charset=utf-16', code: 'unsupported_media_type' },
  { type: 'text/plain', code: 'unsupported_media_type' },
  { type: 'text/plain; application/json', code: 'unsupported_media_type' },
  { type: 'multipart/form-data; boundary=x', code: 'unsupported_media_type' },
  { type: undefined, code: 'unsupported_media_type' },
])('a body of type $type gets $code', async ({ type, code }) => {
  expect(codeIn(await post(type, '{}'))).toBe(code);
});

test.for([
  { what: 'a truncated object', body: '{"emailId":', code: 'malformed_request' },
  { what: 'two objects', body: '{}{}', code: 'malformed_request' },
  { what: 'a comment', body: '{}//', code: 'malformed_request' },
  { what: 'an array', body: '[]', code: 'malformed_request' },
  { what: 'an array of objects', body: '[{"emailId":"a@b.example"}]', code: 'malformed_request' },
  { what: 'a text', body: '"emailId"', code: 'malformed_request' },
  { what: 'a number', body: '1', code: 'malformed_request' },
  { what: 'true', body: 'true', code: 'malformed_request' },
  { what: 'a form', body: 'emailId=a', code: 'malformed_request' },
  { what: '__proto__', body: '{"__proto__":{"emailId":"a"}}', code: 'malformed_request' },
  { what: 'an escaped __proto__', body: '{"\\u005f_proto__":{"a":1}}', code: 'malformed_request' },
  { what: 'a nested __proto__', body: '{"emailId":{"__proto__":1}}', code: 'malformed_request' },
  { what: 'a prototype', body: '{"constructor":{"prototype":{"a":1}}}', code: 'malformed_request' },
  { what: 'not UTF-8', body: Buffer.from('7b22ff223a317d', 'hex'), code: 'malformed_request' },
  { what: 'UTF-16', body: Buffer.from('{}', 'utf16le'), code: 'malformed_request' },
  { what: 'half a surrogate pair', body: '{"emailId":"\\ud83d"}', code: 'malformed_request' },
  {
    what: 'a surrogate pair in the wrong order',
    body: '{"emailId":"\\uDE00\\uD83D"}',
    code: 'malformed_request',
  },
  { what: 'half a surrogate pair in a key', body: '{"\\udfff":1}', code: 'malformed_request' },
  { what: 'a whole surrogate pair', body: '{"emailId":"\\ud83d\\uDE00"}', code: 'invalid_input' },
  { what: 'an escaped backslash before ud83d', body: '{"emailId":"\\\\ud83d"}', code: 'invalid_input' },
  { what: 'null', body: 'null', code: 'malformed_request' },
  { what: '21 levels', body: `${'['.repeat(21)}${']'.repeat(21)}`, code: 'malformed_request' },
  { what: '2,000 values', body: `{"x":[${'0,'.repeat(1999)}0]}`, code: 'invalid_input' },
  { what: '2,001 values', body: `{"x":[${'0,'.repeat(2000)}0]}`, code: 'malformed_request' },
  { what: 'commas in a text', body: `{"x":"${','.repeat(5000)}"}`, code: 'invalid_input' },
  { what: 'brackets in a text', body: `{"x":"${'['.repeat(50)}\\"{"}`, code: 'invalid_input' },
  { what: 'a byte order mark first', body: '\u{FEFF}{}', code: 'invalid_input' },
  {
    what: 'a deep value',
    body: `{"emailId":${'['.repeat(9000)}${']'.repeat(9000)}}`,
    code: 'malformed_request',
  },
])('JSON that is $what gets $code (M3)', async ({ body, code }) => {
  expect(codeIn(await post(json, body))).toBe(code);
});

test('a body may have up to 64 KiB and no byte more, with and without chunks (M3)', async () => {
  const sized = (bytes: number) => `{"emailId":"${'x'.repeat(bytes - 14)}"}`;
  expect(sized(JSON_BODY_MAX_BYTES)).toHaveLength(65_536);
  for (const headers of [{}, { 'transfer-encoding': 'chunked' }]) {
    expect(codeIn(await post(json, sized(65_536), headers))).toBe('invalid_input');
    const over = await post(json, sized(65_537), headers);
    expect(codeIn(over)).toBe('payload_too_large');
    expect(over.status).toBe(413);
  }
  const umlauts = `{"emailId":"${'ü'.repeat(32_761)}"}`;
  expect(umlauts.length).toBeLessThan(JSON_BODY_MAX_BYTES);
  expect(codeIn(await post(json, `${umlauts} `))).toBe('payload_too_large');
});

test('the refusal lists every invalid field and every unknown key by its wire name', async () => {
  const body = {
    emailId: 'no address',
    password: 'short',
    email_id: 'a@b.example',
    constructor: 1,
    toString: 2,
  };
  const answer = await app.visitor().post('/api/signup', body);
  expect(answer.status).toBe(422);
  expect(answer.body.error?.fields).toEqual({
    emailId: fieldText.email,
    password: expect.stringContaining('8') as string,
    timezone: fieldText.required,
    email_id: serverFieldText.unknownField,
    constructor: serverFieldText.unknownField,
    toString: serverFieldText.unknownField,
  });
});

test('a call without input takes no body or an empty object, and nothing else', async () => {
  const codes = [];
  for (const request of [{}, { body: {} }, { body: { all: 1 } }]) {
    const { visitor } = await signedUp(app);
    codes.push((await visitor.send('DELETE', '/api/logout', request)).code);
  }
  expect(codes).toEqual([undefined, undefined, 'invalid_input']);
});

test.for(['', '01', 'cc1', '１', '%zz', '9223372036854775808'])('org_id %j is invalid', async (text) => {
  const answer = await maya.visitor.get(
    `/api/init?org_id=${text === '%zz' ? text : encodeURIComponent(text)}`,
  );
  expect(answer.status).toBe(400);
  expect(answer.body.error).toEqual({ code: 'org_id_invalid', details: 'org_id is invalid' });
});

test.for([
  { query: '?org_id=1&org_id=1', code: 'malformed_request' },
  { query: '?org_id[]=1', code: 'invalid_input' },
  { query: '?__proto__[x]=1&constructor=2', code: 'invalid_input' },
])('GET /api/init$query gets $code', async ({ query, code }) => {
  expect((await maya.visitor.get(`/api/init${query}`)).code).toBe(code);
});

test.for([
  { type: 'text/plain;charset=UTF-8', body: '' },
  { type: 'text/plain', body: 'anything' },
  { type: json, body: '{"user_id":1}' },
  { type: json, body: '{cut' },
  { type: json, body: '' },
  { type: 'application/octet-stream', body: new Uint8Array(100_000) },
  { type: 'nonsense/type', body: 'x' },
  { type: undefined, body: 'x' },
  { type: undefined, body: undefined },
])('a beacon of type $type gets 204, whatever its body is (D7)', async ({ type, body }) => {
  const answer = await raw(app.url, 'POST', '/api/activesession', {
    headers: {
      cookie: `portico=${maya.visitor.session}`,
      ...(type !== undefined && { 'content-type': type }),
    },
    ...(body !== undefined && { body }),
  });
  expect(answer).toMatchObject({ status: 204, text: '' });
});

test('a beacon without a session is refused, and no other call takes plain text', async () => {
  const request = { headers: { 'content-type': 'text/plain' }, body: '{}' };
  expect(codeIn(await raw(app.url, 'POST', '/api/activesession', request))).toBe('not_signed_in');
  const cookie = `portico=${maya.visitor.session}`;
  const put = await raw(app.url, 'PUT', '/api/user', { ...request, headers: { ...request.headers, cookie } });
  expect(codeIn(put)).toBe('unsupported_media_type');
});

describe('an empty body', () => {
  const json = { 'content-type': 'application/json' };
  const chunked = { 'transfer-encoding': 'chunked' };
  const empty = [
    { what: 'no body and no length', headers: json },
    { what: 'Content-Length: 0', headers: { ...json, 'content-length': '0' } },
    { what: 'empty chunks', headers: { ...json, ...chunked } },
    { what: 'a byte order mark', headers: json, body: '\u{FEFF}' },
    { what: 'neither body nor type', headers: {} },
    { what: 'no type, Content-Length: 0', headers: { 'content-length': '0' } },
    { what: 'no type, empty chunks', headers: chunked },
  ];

  const calls = Object.values(api)
    .flatMap((feature) => Object.values<Endpoint>(feature))
    .filter(({ method, body, answers }) => method !== 'GET' && body !== 'form' && answers !== 'nothing');
  const fieldsIn = ({ text }: RawAnswer) =>
    (JSON.parse(text) as { error?: { fields?: Record<string, string> } }).error?.fields;

  describe.each(empty)('$what', ({ headers, body }) => {
    const send = (method: string, path: string, cookie?: string) =>
      raw(app.url, method, path, {
        headers: { ...headers, ...(cookie !== undefined && { cookie }) },
        ...(body !== undefined && { body }),
      });

    // The first shape asks every call; the others share its reader.
    const asked = headers === empty[0]?.headers ? calls : calls.slice(0, 3);
    test('counts as an empty object', async () => {
      for (const { method, path } of asked) {
        const call = `${method} ${path}`;
        const answer = await send(method, path);
        const asObject = await raw(app.url, method, path, { headers: json, body: '{}' });
        expect({ call, code: codeIn(answer) }).toEqual({ call, code: codeIn(asObject) });
        expect(fieldsIn(answer)).toEqual(fieldsIn(asObject));
      }
    });

    test('is enough for a call that needs no field', async () => {
      const { visitor } = await founder(app);
      const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      for (const [method, path, code] of [
        ['DELETE', '/drive/profile', 'file_not_found'],
        ['POST', '/api/reauthenticate/code', 'not_allowed'],
        ['DELETE', '/api/logout', 200],
      ] as const)
        expect({ path, code: codeIn(await send(method, path, cookie)) }).toEqual({ path, code });
      expect((await visitor.get('/api/user')).code).toBe('not_signed_in');
    });
  });

  test.for([
    { what: 'bytes without a type', headers: {}, body: '{}' },
    { what: 'blanks without a type', headers: {}, body: ' ' },
    { what: 'nothing, as plain text', headers: { 'content-type': 'text/plain' }, body: '' },
    { what: 'nothing, in UTF-16', headers: { 'content-type': 'application/json; charset=utf-16' }, body: '' },
  ])('$what has a type that no call takes', async ({ headers, body }) => {
    const { visitor } = await signedUp(app);
    const cookie = `portico=${visitor.session}`;
    const answer = await raw(app.url, 'DELETE', '/api/logout', {
      headers: { ...headers, ...chunked, cookie },
      body,
    });
    expect(codeIn(answer)).toBe('unsupported_media_type');
  });
});
