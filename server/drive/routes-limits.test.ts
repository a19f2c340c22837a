import { connect } from 'node:net';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { UPLOAD_MAX_BYTES } from '#contract/limits.ts';
import { HOUR_MS } from '#server/clock.ts';
import { StorageAway } from '#server/storage/storage.ts';
import {
  iconPath,
  iconRows,
  skipDrawing,
  storedFiles,
  tinyPng,
  upload,
  uploaded,
} from '#server/testing/icons.ts';
import { confirmed, founder, type Person } from '#server/testing/people.ts';
import { listRows } from '#server/testing/rows.ts';
import { organizationOf } from '#server/testing/staff.ts';
import { useApp } from '#server/testing/use-app.ts';

const app = useApp({ MAX_ORGS_PER_USER: '1000' });
let maya: Person;
let orgId: number;
beforeAll(() => skipDrawing(app));
beforeEach(async () => {
  maya = await confirmed(app);
  ({ orgId } = await organizationOf(maya));
});

/** A file of exactly this size that begins like a PNG. */
const sized = (bytes: number) => Buffer.concat([tinyPng], bytes);

test('a file of 5,242,880 bytes is accepted, one of 5,242,881 is refused', async () => {
  expect((await upload(app, maya, orgId, { bytes: sized(UPLOAD_MAX_BYTES) })).status).toBe(200);
  const answer = await upload(app, maya, orgId, { bytes: sized(UPLOAD_MAX_BYTES + 1) });
  expect([answer.status, answer.code]).toEqual([413, 'file_too_large']);
  const far = await upload(app, maya, orgId, { bytes: sized(UPLOAD_MAX_BYTES + 500_000) });
  expect([far.status, far.code]).toEqual([413, 'file_too_large']);
  expect(await iconRows(app, orgId)).toHaveLength(1);
});

/** Sends a head and then a body on a bare socket. Returns the answer and when the connection was closed. */
function stream(headers: Record<string, string>, body: (write: (bytes: Buffer) => boolean) => void) {
  const { hostname, port } = new URL(app.url);
  const socket = connect(Number(port), hostname === 'localhost' ? '127.0.0.1' : hostname);
  const lines = {
    host: new URL(app.url).host,
    cookie: `portico=${maya.visitor.session}`,
    'content-type': 'multipart/form-data; boundary=x',
    ...headers,
  };
  socket.write(
    `POST /drive/appicon HTTP/1.1\r\n${Object.entries(lines)
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('')}\r\n`,
  );
  let text = '';
  socket.setEncoding('utf8').on('data', (part: string) => (text += part));
  socket.on('error', () => undefined);
  const closed = new Promise<number>(
    (resolve) => void socket.once('close', () => resolve(socket.bytesWritten)),
  );
  body((bytes) => socket.writable && socket.write(bytes));
  return { answer: () => text, closed, end: () => socket.destroy() };
}
const partHead = '--x\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\n\r\n';
const endless = (write: (bytes: Buffer) => boolean) => {
  const chunk = Buffer.concat([Buffer.from('10000\r\n'), Buffer.alloc(65_536, 1), Buffer.from('\r\n')]);
  write(Buffer.from(`${partHead.length.toString(16)}\r\n${partHead}\r\n`));
  const more = () => {
    if (write(chunk)) setImmediate(more);
    else setTimeout(more, 5).unref();
  };
  more();
};

test('an endless stream is refused as soon as it is too long, and the connection is closed', async () => {
  const { answer, closed } = stream({ 'transfer-encoding': 'chunked' }, endless);
  await expect.poll(answer).toMatch(/^HTTP\/1.1 413 [^]*"file_too_large"/);
  expect(await closed).toBeGreaterThan(UPLOAD_MAX_BYTES);
});

test('a stream without a session is refused before it is read, and the connection is closed', async () => {
  const { answer, closed } = stream({ 'transfer-encoding': 'chunked', cookie: '' }, endless);
  await expect.poll(answer).toMatch(/^HTTP\/1.1 401 /);
  await closed;
});

test('a client that disconnects during an upload leaves nothing behind', async () => {
  const before = storedFiles(app);
  const limitCount = async () => (await listRows(app, 'rate_limits', ['key'])).length;
  const uploads = await limitCount();
  const { end, closed } = stream({ 'content-length': '5000' }, (write) => void write(Buffer.from(partHead)));
  await expect.poll(limitCount).toBe(uploads + 1);
  end();
  await closed;
  expect((await upload(app, maya, orgId, { fields: { icon_type: '9' } })).status).toBe(422);
  expect(storedFiles(app)).toEqual(before);
  expect(app.logLines.filter((text) => text.includes('a request failed'))).toEqual([]);
});

test('each person may make twenty uploads an hour, and refused ones count', async () => {
  for (let count = 0; count < 20; count += 1)
    expect((await upload(app, maya, orgId, { fields: { icon_type: '9' } })).status).toBe(422);
  const answer = await upload(app, maya, orgId);
  expect([answer.status, answer.code, answer.headers.get('retry-after')]).toEqual([
    429,
    'too_many_requests',
    '3600',
  ]);
  const other = await founder(app);
  expect((await upload(app, other, other.orgId)).status).toBe(200);
  app.clock.forward(HOUR_MS);
  expect((await upload(app, maya, orgId)).status).toBe(200);
});

describe('a full or unreachable storage', () => {
  test('serves no image, and an image without its file is not found', async () => {
    const fileId = await uploaded(app, maya, orgId);
    const working = { ...app.deps.storage };
    Object.assign(app.deps.storage, { get: () => Promise.reject(new StorageAway('the image folder')) });
    const away = await maya.visitor.get(iconPath(orgId, fileId));
    Object.assign(app.deps.storage, working);
    expect([away.status, away.headers.get('cache-control')]).toEqual([503, 'no-store']);
    await app.deps.storage.delete(fileId);
    expect((await maya.visitor.get(iconPath(orgId, fileId))).code).toBe('file_not_found');
  });
});
