import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { inBucket } from './s3.ts';
import { StorageAway } from './storage.ts';
import { listed } from '#server/testing/stored-files.ts';

// A fake server with the answers of each test. s3-swift.test.ts uses a real one if it is installed.

type RecordedRequest = { method: string; url: string; body: string; authorization: string };
let answer: (response: ServerResponse, request: IncomingMessage) => void;
const requests: RecordedRequest[] = [];
const server = createServer((request, response) => {
  const { method = '', url = '', headers } = request;
  void (async () => {
    requests.push({ method, url, body: await text(request), authorization: headers.authorization ?? '' });
    answer(response, request);
  })();
});
let host: string;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  requests.length = 0;
});

const at = (more = {}) => ({
  url: new URL(`http://${host}/pictures`),
  prefix: 'portico/live/',
  keyId: 'key-id',
  secret: 'hunter2hunter2',
  region: 'eu-1',
  ...more,
});
const storage = (more = {}, patienceMs = 10_000) => inBucket(at(more), patienceMs);
const answerWith = (status: number, body = '') => {
  answer = (response) => response.writeHead(status).end(body);
};

test('addresses a file by path, in its folder, and signs for the region', async () => {
  answerWith(200);
  await storage().put('name', Buffer.from('bytes'));
  await storage({ prefix: '' }).get('name');
  expect(requests).toMatchObject([
    { method: 'PUT', url: '/pictures/portico/live/name', body: 'bytes' },
    { method: 'GET', url: '/pictures/name', body: '' },
  ]);
  expect(requests[0]?.authorization).toMatch(/Credential=key-id\/\d{8}\/eu-1\/s3\/aws4_request,/);
});

const entry = (key: string) =>
  `<Contents><Key>${key}</Key><LastModified>2026-03-02T09:00:00.000Z</LastModified><Size>1</Size></Contents>`;
test('reads a list page by page', async () => {
  const pages = [
    `<ListBucketResult><IsTruncated>true</IsTruncated><NextContinuationToken>a+b/&amp;&lt;=</NextContinuationToken>
     ${entry('portico/live/one')}\n${entry('portico/live/two')}</ListBucketResult>`,
    `<ListBucketResult><IsTruncated>false</IsTruncated>${entry('portico/live/three')}</ListBucketResult>`,
  ];
  answer = (response) => response.end(pages.shift());
  expect(await listed(storage())).toEqual(
    new Map(['one', 'two', 'three'].map((name) => [name, new Date('2026-03-02T09:00:00Z')])),
  );
  expect(requests.map(({ url }) => Object.fromEntries(new URL(url, 'http://x').searchParams))).toEqual([
    { 'list-type': '2', prefix: 'portico/live/' },
    { 'list-type': '2', prefix: 'portico/live/', 'continuation-token': 'a+b/&<=' },
  ]);
});

test('a missing file is undefined, and a missing bucket is a fault', async () => {
  answerWith(404, '<Error><Code>NoSuchKey</Code></Error>');
  expect(await storage().get('name')).toBeUndefined();
  await storage().delete('name');
  answerWith(404, '<Error><Code>NoSuchBucket</Code></Error>');
  await expect(storage().get('name')).rejects.toThrow('404 NoSuchBucket');
  await expect(storage().put('name', Buffer.from('x'))).rejects.toThrow(StorageAway);
});

test('an unreachable server is named with the reason', async () => {
  const dead = storage({ url: new URL('http://127.0.0.1:1/pictures') });
  await expect(dead.put('name', Buffer.from('x'))).rejects.toThrow(/bucket: (connect ECONNREFUSED|bad port)/);
});

test.each<[string, () => void]>([
  ['a wrong key', () => answerWith(403, '<Error><Code>SignatureDoesNotMatch</Code></Error>')],
  ['a fault of the server', () => answerWith(500, '<html>oops</html>')],
  ['an overload', () => answerWith(503, '<Error><Code>SlowDown</Code></Error>')],
  [
    'a redirect',
    () => {
      answer = (response) => response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end();
    },
  ],
  [
    'a lost connection',
    () => {
      answer = (response) => void response.destroy();
    },
  ],
  [
    'half an answer',
    () => {
      answer = (response) => void response.writeHead(200, { 'content-length': 9 }).write('half');
    },
  ],
  [
    'silence',
    () => {
      answer = () => undefined;
    },
  ],
])('%s fails every call with the same error, which contains no secret', async (_what, prepare) => {
  prepare();
  const impatient = storage({}, 300);
  const calls = [
    impatient.put('name', Buffer.from('x')),
    impatient.get('name'),
    impatient.delete('name'),
    listed(impatient),
  ];
  for (const result of await Promise.allSettled(calls)) {
    expect(result).toMatchObject({ status: 'rejected', reason: expect.any(StorageAway) as StorageAway });
    expect(JSON.stringify(result)).not.toMatch(/hunter2|key-id/);
  }
});
