import { describe, expect, test } from 'vitest';
import { api } from '#contract/api.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { founder, signedUp } from '#server/testing/people.ts';
import { codeIn, raw, type RawAnswer } from '#server/testing/raw.ts';
import { useApp } from '#server/testing/use-app.ts';

const app = useApp();

const json = { 'content-type': 'application/json' };
const chunked = { 'transfer-encoding': 'chunked' };
const empty = [
  { what: 'no body and no length', headers: json },
  { what: 'Content-Length: 0', headers: { ...json, 'content-length': '0' } },
  { what: 'empty chunks', headers: { ...json, ...chunked } },
  { what: 'blanks', headers: json, body: ' \r\n\t ' },
  { what: 'a byte order mark', headers: json, body: '\u{FEFF}' },
  { what: 'neither body nor type', headers: {} },
  { what: 'no type, Content-Length: 0', headers: { 'content-length': '0' } },
  { what: 'no type, empty chunks', headers: chunked },
  {
    what: 'a type with a charset',
    headers: { 'content-type': 'application/json; charset=utf-8', ...chunked },
  },
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
