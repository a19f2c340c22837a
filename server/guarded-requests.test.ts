import { afterEach, beforeEach, expect, test } from 'vitest';
import { guardedFetch, organizationsReach } from './guarded-requests.ts';
import { type Receiver, startReceiver } from '#server/testing/webhooks.ts';

let receiver: Receiver;
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(() => receiver.close());

type More = { readonly production?: boolean; readonly body?: URLSearchParams };
const ask = async (url: string, { production = false, body }: More = {}) =>
  guardedFetch(organizationsReach({ production }), 300)(url, {
    method: body ? 'POST' : 'GET',
    headers: { accept: 'application/json' },
    body,
    redirect: 'manual',
  });

test('a short answer to GET and POST', async () => {
  receiver.answerWith({ status: 201, headers: { 'content-type': 'application/json' }, text: '{"a":1}' });
  const answers = [
    await ask(receiver.url),
    await ask(receiver.url, { body: new URLSearchParams({ a: 'b c' }) }),
  ];
  for (const answer of answers) {
    expect([answer.status, answer.headers.get('content-type')]).toEqual([201, 'application/json']);
    expect(await answer.json()).toEqual({ a: 1 });
  }
  expect(receiver.heard.map(({ body, headers }) => [body, headers['accept']])).toEqual([
    ['', 'application/json'],
    ['a=b+c', 'application/json'],
  ]);
});

test('a redirect is an answer like another', async () => {
  receiver.answerWith({ status: 307, headers: { location: 'http://169.254.169.254/' } });
  expect((await ask(receiver.url)).status).toBe(307);
});

test.each([
  ['1 MB', { status: 200, text: 'x'.repeat(1_048_576) }, { code: 'ANSWER_TOO_LARGE' }],
  ['slow pieces', { raw: 'HTTP/1.1 200 OK\r\n\r\n', tail: 'x' }, { message: 'no answer within 0.3 seconds' }],
])('an answer of %s is refused', async (_, answer, error) => {
  receiver.answerWith(answer);
  await expect(ask(receiver.url)).rejects.toMatchObject(error);
});

test.each(['localhost', '127.0.0.1', '[::1]'])('in production, no request reaches %s', async (host) => {
  const url = receiver.url.replace('localhost', host);
  await expect(ask(url, { production: true })).rejects.toMatchObject({ code: 'ADDRESS_NOT_PUBLIC' });
  expect(receiver.heard).toEqual([]);
});
