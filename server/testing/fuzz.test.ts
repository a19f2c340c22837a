import { describe, expect, test } from 'vitest';
import { api } from '#contract/api.ts';
import { fuzz, wrongWith } from './fuzz.ts';
import { useApp } from './use-app.ts';

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

describe('the portal', () => {
  const app = useApp({ RATE_LIMIT_FACTOR: '1000000' });
  test('answers 500 hostile requests by the contract, and keeps its invariants', async () => {
    const { findings, statuses, requests } = await fuzz(app, { count: 500, seed: 20_260_302 });
    expect(findings).toEqual([]);
    const total = Object.values(statuses).reduce((sum, times) => sum + times, 0);
    expect(total).toBe(requests);
    // Requests were served, refused and invalid, so every path was taken.
    expect(Object.keys(statuses)).toEqual(expect.arrayContaining(['200', '401', '403', '404', '422']));
  });
});
