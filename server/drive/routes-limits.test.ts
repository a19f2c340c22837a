import { request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { UPLOAD_MAX_BYTES } from '#contract/limits.ts';
import { HOUR_MS } from '#server/clock.ts';
import { StorageAway } from '#server/storage/storage.ts';
import {
  iconForm,
  iconPath,
  iconRows,
  skipDrawing,
  storedFiles,
  tinyPng,
  upload,
  uploadedIconId,
} from '#server/testing/icons.ts';
import { confirmed, founder, type Person } from '#server/testing/people.ts';
import { deleteRows, listRows } from '#server/testing/rows.ts';
import { organizationOf } from '#server/testing/staff.ts';
import { fingerprint } from '#server/testing/untouched.ts';
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
  expect([answer.code, answer.headers.get('retry-after')]).toEqual(['too_many_requests', '3600']);
  const other = await founder(app);
  expect((await upload(app, other, other.orgId)).status).toBe(200);
  app.clock.forward(HOUR_MS);
  expect((await upload(app, maya, orgId)).status).toBe(200);
});

describe('a full or unreachable storage', () => {
  test('serves no image, and an image without its file is not found', async () => {
    const fileId = await uploadedIconId(app, maya, orgId);
    const working = { ...app.deps.storage };
    Object.assign(app.deps.storage, { get: () => Promise.reject(new StorageAway('the image folder')) });
    const away = await maya.visitor.get(iconPath(orgId, fileId));
    Object.assign(app.deps.storage, working);
    expect([away.status, away.headers.get('cache-control')]).toEqual([503, 'no-store']);
    await app.deps.storage.delete(fileId);
    expect((await maya.visitor.get(iconPath(orgId, fileId))).code).toBe('file_not_found');
  });
});

describe('a session that ends', () => {
  beforeAll(() => skipDrawing(app));

  /** Resolves once the gate has accepted an upload. The server reads its body from then on. */
  function letIn(): Promise<void> {
    const { limiter } = app.deps;
    const take = limiter.take.bind(limiter);
    return new Promise((resolve) => {
      const spy = vi.spyOn(limiter, 'take').mockImplementation((...args) => {
        if (args[0] === 'uploadsHour') resolve();
        return take(...args);
      });
      onTestFinished(() => spy.mockRestore());
    });
  }

  /** Sends the end of a form only after `meanwhile`. Returns the answer's status and body. */
  async function heldBack(
    { visitor }: Person,
    path: string,
    form: FormData,
    meanwhile: () => Promise<unknown>,
  ) {
    const whole = new Response(form);
    const bytes = Buffer.from(await whole.arrayBuffer());
    const turn = letIn();
    const headers = {
      cookie: `portico=${visitor.session}`,
      'content-type': whole.headers.get('content-type') ?? '',
      'content-length': bytes.length,
    };
    const upload = request(new URL(path, app.url), { method: 'POST', headers });
    const answer = new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
      upload.on('error', reject);
      upload.on('response', (answer) => {
        text(answer).then((body) => resolve({ status: answer.statusCode, text: body }), reject);
      });
    });
    upload.write(bytes.subarray(0, -40));
    await turn;
    await meanwhile();
    upload.end(bytes.subarray(-40));
    return answer;
  }

  const pictureForm = () => {
    const form = new FormData();
    form.set('permission', '1');
    form.set('file', new File([new Uint8Array(tinyPng)], 'me.png', { type: 'image/png' }));
    return form;
  };

  test.for(['/drive/profile', '/drive/appicon'])(
    '%s: an upload whose session ends before its last bytes changes nothing (D6)',
    async (path) => {
      const maya = await confirmed(app);
      const { orgId } = await organizationOf(maya);
      const form = path === '/drive/profile' ? pictureForm() : iconForm(orgId);
      const end = () => deleteRows(app, 'sessions', { user_id: maya.id });
      const { sessions: _before, ...before } = await fingerprint(app.deps.sql);
      const { status, text } = await heldBack(maya, path, form, end);
      expect([status, text]).toEqual([401, expect.stringContaining('not_signed_in')]);
      const { sessions: _after, ...after } = await fingerprint(app.deps.sql);
      expect(after).toEqual(before);
    },
  );

  test('a slow upload is accepted while its session lasts', async () => {
    const maya = await confirmed(app);
    const { status } = await heldBack(maya, '/drive/profile', pictureForm(), async () => undefined);
    expect(status).toBe(200);
  });
});
