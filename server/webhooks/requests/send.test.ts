import { setGlobalProxyFromEnv } from 'node:http';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { product } from '#contract/product.ts';
import type { OrgId } from '#contract/wire.ts';
import { systemClock } from '#server/clock.ts';
import { readConfig } from '#server/config.ts';
import { openKeys, seal } from '#server/keys.ts';
import { startNameServer } from '#server/testing/name-server.ts';
import { type Receiver, startReceiver, WEBHOOK_SECRET } from '#server/testing/webhooks.ts';
import { sendMessage } from './send.ts';

const SECRET_KEY = 'k'.repeat(32);
const config = readConfig({ SECRET_KEY });
const keys = openKeys(config);
const orgId = 1 as OrgId;
const LIMIT_MS = 300;

let names: Awaited<ReturnType<typeof startNameServer>>;
beforeAll(async () => {
  names = await startNameServer();
});
afterAll(() => names.close());
let receiver: Receiver;
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(() => receiver.close());

type More = { readonly orgId?: OrgId | null; readonly production?: boolean; readonly sealedSecret?: Buffer };
const send = (url: string, { production = false, ...more }: More = {}) =>
  sendMessage(
    { keys, clock: systemClock, config: { ...config, production } },
    {
      orgId,
      url,
      messageId: '5f4f8e7c-0000-4000-8000-000000000000',
      payload: { type: 'test' },
      sealedSecret: seal(keys, 'webhook', WEBHOOK_SECRET),
      formerSealedSecret: null,
      ...more,
    },
    LIMIT_MS,
  );
const at = (host: string) => receiver.url.replace('localhost', host);

const FAILED = 'could not be reached:';
const LATE = `${FAILED} no answer within 0.3 seconds`;
const NOT_PUBLIC = `${FAILED} its address is unknown, private or reserved`;

test.for<[what: string, answer: Parameters<Receiver['answerWith']>[0], outcome: object]>([
  ['nothing', 'hanging', { statusCode: null, error: LATE }],
  [
    'drops of an answer',
    { raw: 'HTTP/1.1 200 OK\r\n\r\n', tail: 'x' },
    { error: null, statusCode: 200, response: expect.stringMatching(/^x+$/) },
  ],
  ['drops of a head', { raw: 'HTTP/1.1 200 OK\r\n', tail: 'x' }, { error: LATE }],
  [
    'an endless answer',
    { raw: 'HTTP/1.1 200 OK\r\n\r\n', tail: 'x'.repeat(16_000) },
    { error: null, statusCode: 200, response: 'x'.repeat(1024) },
  ],
  [
    'an endless head',
    { raw: 'HTTP/1.1 200 OK\r\n', tail: `x: ${'y'.repeat(10_000)}\r\n` },
    { error: `${FAILED} Parse Error: Header overflow` },
  ],
  [
    'endless interim answers',
    { raw: '', tail: 'HTTP/1.1 103 Early Hints\r\n\r\n' },
    { error: `${FAILED} too many interim answers` },
  ],
  [
    'another protocol',
    { raw: 'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n' },
    { error: `${FAILED} the connection ended` },
  ],
  [
    'half an answer',
    { raw: 'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nx' },
    { error: null, statusCode: 200, response: 'x' },
  ],
  ['no HTTP', { raw: 'SSH-2.0\r\n' }, { error: expect.stringContaining('Parse Error') }],
  ['bytes that no database takes', { status: 200, text: 'a\0b' }, { error: null, response: 'ab' }],
  [
    'a redirect to a private address',
    { status: 307, headers: { location: 'http://169.254.169.254/' } },
    { statusCode: 307, error: 'answered with 307, a redirect, which is not followed' },
  ],
  ['a redirect to itself', { status: 308, headers: { location: '/hook' } }, { statusCode: 308 }],
  [
    'an end',
    { status: 410, text: 'gone' },
    { statusCode: 410, error: 'answered with 410', response: 'gone' },
  ],
  ['an error', { status: 500 }, { statusCode: 500, error: 'answered with 500' }],
  [
    'a wish to wait',
    { status: 429, headers: { 'retry-after': '90' } },
    { statusCode: 429, retryAfterMs: 90_000 },
  ],
])('a receiver that answers with %s', async ([, answer, outcome]) => {
  receiver.answerWith(answer);
  expect(await send(receiver.url)).toMatchObject(outcome);
  expect(receiver.heard).toHaveLength(1);
});

test("the user agent bears the brand's name in letters that a header takes", async () => {
  const { name } = product;
  for (product.name of [name, 'Århus ID', '北風']) await send(receiver.url);
  product.name = name;
  const agents = receiver.heard.map(({ headers }) => headers['user-agent']);
  expect(agents).toEqual(['portico-webhooks', 'arhus-id-webhooks', 'portal-webhooks']);
});

test('a receiver that is down, or whose certificate is not trusted or names another host', async () => {
  names.name('hooks.example', ['127.0.0.1', '::1']);
  const errors = [(await send(at('hooks.example'))).error];
  setDefaultCACertificates(getCACertificates('bundled'));
  errors.push((await send(receiver.url)).error);
  receiver.close();
  for (const url of [receiver.url, at('hooks.example')]) errors.push((await send(url)).error);
  expect(receiver.heard).toEqual([]);
  expect(errors).toEqual(
    [/altnames/, /self-signed/, /ECONNREFUSED/, /ECONNREFUSED/].map(
      (words) => expect.stringMatching(words) as unknown,
    ),
  );
});

test.for([
  'localhost',
  '127.0.0.1',
  '127.1',
  '0x7f.0.0.1',
  '0177.0.0.1',
  '2130706433',
  '0.0.0.0',
  '[::1]',
  '[::]',
  '[::ffff:127.0.0.1]',
  '[::127.0.0.1]',
  '[64:ff9b::7f00:1]',
  '[2002:7f00:1::]',
  '[2001:0:7f00:1::]',
])('in production, no organization’s request reaches %s', async (host) => {
  expect((await send(at(host), { production: true })).error).toBe(NOT_PUBLIC);
  expect(receiver.heard).toEqual([]);
});

test.for([
  '',
  '10.0.0.1 192.168.0.1',
  '127.0.0.1',
  '169.254.169.254',
  '168.63.129.16',
  '::1',
  '::ffff:127.0.0.1',
  '64:ff9b::7f00:1',
  'fd00:ec2::254',
  'fe80::1',
])('a name that stands for “%s” is refused, with the same words', async (addresses) => {
  names.name('inside.example', addresses.split(' ').filter(Boolean));
  expect((await send(at('inside.example'), { production: true })).error).toBe(NOT_PUBLIC);
  expect(receiver.heard).toEqual([]);
});

test('each try resolves a name once and connects to the address that was checked (P16)', async () => {
  names.questions.length = 0;
  const errors = [];
  for (const addresses of [['10.0.0.1', '127.0.0.1'], ['10.0.0.1']]) {
    names.name('rebinding.example', addresses);
    errors.push((await send(at('rebinding.example'))).error);
  }
  expect(errors).toEqual([expect.stringContaining('altnames'), NOT_PUBLIC]);
  expect(names.questions.toSorted()).toEqual(
    ['A', 'A', 'AAAA', 'AAAA'].map((type) => `rebinding.example ${type}`),
  );
});

test('silent name servers delay no other request', async () => {
  const late = Array.from({ length: 8 }, (_, nth) => send(at(`silent-${nth}.example`)));
  expect((await send(receiver.url, { orgId: null })).error).toBeNull();
  expect((await Promise.all(late)).map(({ error }) => error)).toEqual(Array(8).fill(LATE));
});

test('the operator’s webhooks reach private addresses, but not those where clouds give credentials', async () => {
  const ofSuite = { orgId: null, production: true };
  expect((await send(at('127.0.0.1'), ofSuite)).error).toBeNull();
  for (const host of ['169.254.169.254', '[::ffff:169.254.169.254]', '[fd00:ec2::254]', '[fe80::1]'])
    expect((await send(at(host), ofSuite)).error).toBe(NOT_PUBLIC);
});

test('a proxy of the environment carries no request', async () => {
  const restore = setGlobalProxyFromEnv({ https_proxy: 'http://127.0.0.1:1' });
  expect((await send(receiver.url)).error).toBeNull();
  restore();
});

test('a secret that no key opens is a failure', async () => {
  const [other] = [openKeys(readConfig({ SECRET_KEY: 'o'.repeat(32) }))];
  const sealedSecret = seal(other, 'webhook', WEBHOOK_SECRET);
  expect((await send(receiver.url, { sealedSecret })).error).toContain('SECRET_KEY');
});
