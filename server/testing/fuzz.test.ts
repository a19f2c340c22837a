import { describe, expect, test } from 'vitest';
import { api } from '#contract/api.ts';
import { fuzz, wrongWith } from '#server/testing/fuzz.ts';
import { spoiled, wrongWithSaid } from '#server/testing/fuzz-raw.ts';
import { raw } from '#server/testing/raw.ts';
import { useApp } from '#server/testing/use-app.ts';

const answerWith = (status: number, body: object | string) => ({
  status,
  headers: { 'x-request-id': 'x', 'cache-control': 'no-store' },
  body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
});
const refused = (status: number, code: string) =>
  answerWith(status, { success: false, error: { code, details: 'no' } });

describe('an answer is judged by the contract of its call', () => {
  const { status, signIn } = api.signIn;
  const person = { id: 1, email: null, full_name: 'Maya', confirmed: 1, person: 'x' };

  test.for([
    ['an answer of the schema', answerWith(200, { success: true, response: person })],
    ['null where the schema allows it', answerWith(200, { success: true, response: null })],
    ['a refusal that every call has', refused(422, 'invalid_input')],
    ['a head that was too long', refused(431, 'malformed_request')],
  ] as const)('%s is valid', ([, answer]) => {
    expect(wrongWith(status, answer)).toBeUndefined();
  });

  test.for([
    ['a fault', refused(500, 'internal_error'), '500 internal_error, which the call does not declare'],
    ['a full queue', refused(503, 'unavailable'), '503 unavailable, which the call does not declare'],
    ['another call’s refusal', refused(410, 'otp_expired'), '410 otp_expired, which the call'],
    ['a refusal under another status', refused(400, 'invalid_input'), '400 invalid_input, which the call'],
    ['a page', answerWith(200, '<!doctype html>'), '200 without an envelope'],
    [
      'less than the schema has',
      answerWith(200, { success: true, response: {} }),
      'its schema does not take',
    ],
    [
      'more than the schema has',
      answerWith(200, { success: true, response: { ...person, phc: 'x' } }),
      'an answer with more than its schema has',
    ],
    [
      'an answer without its headers',
      { ...refused(422, 'invalid_input'), headers: {} },
      '422 without its headers',
    ],
  ] as const)('%s is invalid', ([, answer, what]) => {
    expect(wrongWith(status, answer)).toContain(what);
  });

  test('a download is valid', () => {
    const file = answerWith(200, 'a,b');
    expect(wrongWith(api.activity.export, file)).toBe('a file that is none');
    const headers = { ...file.headers, 'content-disposition': 'attachment; filename="log.csv"' };
    expect(wrongWith(api.activity.export, { ...file, headers })).toBeUndefined();
  });

  test('a declared refusal is valid', () => {
    expect(wrongWith(signIn, refused(401, 'invalid_credentials'))).toBeUndefined();
  });
});

describe('the answer to spoiled bytes', () => {
  const head = 'HTTP/1.1 400 Bad Request\r\nx-request-id: x\r\n\r\n';
  const envelope = '{"success":false,"error":{"code":"malformed_request","details":"no"}}';
  test.for([
    ['nothing', ''],
    ['a refusal', head + envelope],
    ['a refusal of a long head', head.replace('400 Bad Request', '431 Large') + envelope],
    ['a page', 'HTTP/1.1 200 OK\r\nX-Request-Id: x\r\n\r\n<!doctype html>'],
    [
      'a provider that is not set up',
      head.replace('400', '503') + envelope.replace('malformed_request', 'social_not_set_up'),
    ],
    ['a 100 Continue', 'HTTP/1.1 100 Continue\r\n\r\n'],
  ] as const)('may be %s', ([, text]) => {
    expect(wrongWithSaid(text)).toBeUndefined();
  });
  test.for([
    ['a fault', head.replace('400', '500') + envelope, '500 malformed_request'],
    [
      'a full queue',
      head.replace('400', '503') + envelope.replace('malformed_request', 'unavailable'),
      '503 unavailable',
    ],
    ['a fault after an answer', `${head}${envelope}\r\n${head.replace('400', '503')}`, 'one of 503'],
    ['text that is no HTTP', 'Error: at server/app.ts', 'no answer'],
    ['a refusal without its id', head.replace('x-request-id: x', 'a: b') + envelope, 'without its id'],
    ['an error without the envelope', `${head}Bad Request`, '400 : HTTP'],
    ['a code of another status', head.replace('400', '404') + envelope, '404 malformed_request'],
  ] as const)('may not be %s', ([, text, what]) => {
    expect(wrongWithSaid(text)).toContain(what);
  });

  const request = { method: 'PUT', path: '/api/user', headers: {}, body: Buffer.from('{}') };
  test.for([
    { spoiling: { as: 'cut', at: 0.25, isReset: false }, bytes: 'PUT /api/user ' },
    {
      spoiling: { as: 'followed', by: 'x' },
      bytes: 'PUT /api/user HTTP/1.1\r\nhost: here\r\ncontent-length: 2\r\n\r\n{}x',
    },
    {
      spoiling: { as: 'chunked', chunks: ['2\r\n{}\r\n', '-1'] },
      bytes: 'PUT /api/user HTTP/1.1\r\nhost: here\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n-1',
    },
    {
      spoiling: { as: 'edited', edits: [{ at: 0, take: 3, put: Buffer.from('\0') }] },
      bytes: '\0 /api/user HTTP/1.1\r\nhost: here\r\ncontent-length: 2\r\n\r\n{}',
    },
  ] as const)('$spoiling.as sends exactly these bytes', ({ spoiling, bytes }) => {
    expect(spoiled(request, 'here', spoiling).toString()).toBe(bytes);
  });
});

describe('the portal', () => {
  const app = useApp({ RATE_LIMIT_FACTOR: '1000000' });
  /** After an overload the process stays unready for half a second. */
  const isReady = async () => (await raw(app.url, 'GET', '/readyz')).status === 200;

  test('answers 2,000 hostile requests by the contract, and keeps its invariants', async () => {
    const { findings, statuses, requests } = await fuzz(app, { count: 2000, seed: 20_260_302 });
    expect(findings).toEqual([]);
    const total = Object.values(statuses).reduce((sum, times) => sum + times, 0);
    expect(total).toBe(requests);
    // Requests were served, refused and rejected as malformed, so every path was taken.
    expect(Object.keys(statuses)).toEqual(expect.arrayContaining(['200', '401', '403', '404', '409', '422']));
    await expect.poll(isReady).toBe(true);
  });

  test('answers or disconnects 400 requests with spoiled bytes, and keeps its invariants', async () => {
    const { findings, statuses } = await fuzz(app, { count: 400, seed: 20_260_302, kind: 'raw' });
    expect(findings).toEqual([]);
    expect(Object.keys(statuses)).toEqual(expect.arrayContaining(['0', '200', '400', '422']));
    await expect.poll(isReady).toBe(true);
  });
});
