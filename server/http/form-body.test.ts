import { PassThrough, Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import type { Upload } from '#contract/drive/calls.ts';
import { Refusal } from '#contract/errors.ts';
import { UPLOAD_MAX_BYTES } from '#contract/limits.ts';
import { readForm } from './form-body.ts';

const type = 'multipart/form-data; boundary=portico';
const part = (head: string, content = '') => `--portico\r\n${head}\r\n\r\n${content}\r\n`;
const named = (name: string) => `content-disposition: form-data; name="${name}"`;
const filed = (name: string) => `${named(name)}; filename="a.png"`;
const END = '--portico--\r\n';

const read = (raw: Readable, headers: Record<string, string> = {}) =>
  readForm({
    headers: { 'content-type': type, ...headers },
    raw: Object.assign(raw, { socket: { bytesRead: 0 } }),
  } as unknown as Parameters<typeof readForm>[0]);
const cut = (body: Buffer, bytes: number) =>
  Readable.from(
    Array.from({ length: Math.ceil(body.length / bytes) }, (_, nth) =>
      body.subarray(nth * bytes, (nth + 1) * bytes),
    ),
    { objectMode: false },
  );
const readText = (body: string) => read(cut(Buffer.from(body), 1000));
const outcome = (answer: Awaited<ReturnType<typeof readForm>>) =>
  answer instanceof Refusal ? answer.name : Object.keys(answer);

describe('a form', () => {
  const content = Buffer.from(Array.from({ length: 50_000 }, (_, at) => (at * at) % 251));
  const whole = Buffer.concat([
    Buffer.from(part(named('org_id'), '17') + `--portico\r\n${filed('file')}\r\n\r\n`),
    content,
    Buffer.from(`\r\n${part(named('permission'), 'ä1')}${END}`),
  ]);

  test.each([7, 65_536])('that arrives in pieces of %d bytes is read whole', async (bytes) => {
    const { file, ...texts } = (await read(cut(whole, bytes))) as Record<string, unknown>;
    expect(texts).toEqual({ org_id: '17', permission: 'ä1' });
    expect((file as Upload).size).toBe(content.length);
    expect(Buffer.from(await (file as Upload).bytes()).equals(content)).toBe(true);
  });

  test('has its file in memory once, however often it is read', async () => {
    const { file } = (await read(cut(whole, 9000))) as Record<string, Upload>;
    const [one, other] = [await file?.bytes(), await file?.bytes()];
    expect(one?.buffer).toBe(other?.buffer);
  });
});

/** Returns how many chunks of an endless stream were read before the answer came. */
async function readEndless(start: string, again: string | Buffer) {
  let chunksRead = 0;
  const chunk = Buffer.alloc(65_536, again);
  const raw = new Readable({
    read() {
      this.push(chunksRead === 0 ? Buffer.concat([Buffer.from(start), chunk]) : chunk);
      chunksRead += 1;
    },
  });
  const answer = await read(raw);
  raw.destroy();
  return { answer: outcome(answer), chunksRead };
}

/** The chunks that the stream buffers ahead of the reader. */
const AHEAD = 3;
test.each([
  ['empty parts', '', part(named('a'))],
  ['parts of different names', Array.from({ length: 17 }, (_, nth) => part(named(`a${nth}`))).join(''), 'x'],
  ['parts without a name', '', part('content-disposition: form-data')],
  ['parts that are not form data', '', part('content-disposition: attachment')],
  ['boundaries only', '', '--portico\r\n'],
  ['files', part(filed('a')), part(filed('b'))],
  ['lines of a part’s head', '--portico\r\n', 'a: b\r\n'],
  ['one line of a part’s head', '--portico\r\na: ', 'b'],
  ['bytes before the first part', '', 'x'],
  ['bytes after the last part', part(named('a')) + END, 'x'],
  ['bytes of a text', `--portico\r\n${named('a')}\r\n\r\n`, 'x'],
])('a form with too many %s is refused before the rest of it is read (M3)', async (_what, start, again) => {
  const { answer, chunksRead } = await readEndless(start, again);
  expect(answer).toBe('malformed_request');
  expect(chunksRead).toBeLessThanOrEqual(AHEAD);
});

test('a file that is too large is read only up to the limit, whatever its content', async () => {
  for (const again of ['x', '\r\n--portic', '\r\n']) {
    const { answer, chunksRead } = await readEndless(`--portico\r\n${filed('file')}\r\n\r\n`, again);
    expect(answer).toBe('file_too_large');
    expect(chunksRead).toBeLessThanOrEqual(UPLOAD_MAX_BYTES / 65_536 + AHEAD);
  }
});

test('sixteen parts are accepted, and seventeen are refused (M9)', async () => {
  const parts = (count: number) =>
    Array.from({ length: count }, (_, nth) => part(named(`a${nth}`), 'x')).join('') + END;
  expect(outcome(await readText(parts(16)))).toHaveLength(16);
  expect(outcome(await readText(parts(17)))).toBe('malformed_request');
});

test.each([
  ['no end', part(named('a'), 'x')],
  ['an end in the middle of a head', `--portico\r\n${named('a')}\r\n${END}`],
  ['an end in the middle of a file', `--portico\r\n${filed('file')}\r\n\r\nxxx`],
  ['a name twice', part(named('a')) + part(named('a')) + END],
  ['a text and a file of one name', part(named('a')) + part(filed('a'), 'x') + END],
  ['a part without a name', part('content-disposition: form-data', 'x') + END],
  ['an invalid head', part('content disposition', 'x') + END],
  ['a line break in a name', part(named('a\nb'), 'x') + END],
])('a form with %s is refused', async (_what, body) => {
  expect(outcome(await readText(body))).toBe('malformed_request');
});

test.each(['text/plain', 'multipart/form-data', `multipart/form-data; boundary=${'x'.repeat(9000)}`, ''])(
  'a body of type %j is refused',
  async (contentType) => {
    const answer = await read(cut(Buffer.from(part(named('a')) + END), 1000), {
      'content-type': contentType,
    });
    expect(outcome(answer)).toBe('malformed_request');
  },
);

test('a form whose sender disconnects is refused', async () => {
  const raw = new PassThrough();
  const answer = read(raw);
  raw.write(`--portico\r\n${filed('file')}\r\n\r\nxxx`);
  setImmediate(() => raw.destroy());
  expect(outcome(await answer)).toBe('malformed_request');
});
