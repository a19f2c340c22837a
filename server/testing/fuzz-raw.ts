import { connect } from 'node:net';
import fc from 'fast-check';
import { codeOf, errors, type RefusalName } from '#contract/errors.ts';

/** How the bytes of a request are spoiled, or where its client disconnects. */
export type Spoiling =
  | { readonly as: 'noise'; readonly bytes: Buffer }
  | { readonly as: 'edited'; readonly edits: readonly Edit[] }
  | { readonly as: 'cut'; readonly at: number; readonly isReset: boolean }
  | { readonly as: 'chunked'; readonly chunks: readonly string[] }
  | { readonly as: 'followed'; readonly by: string };
/** Replaces `take` bytes at a share of the whole with `put`. */
type Edit = { readonly at: number; readonly take: number; readonly put: Buffer };

const share = fc.double({ min: 0, max: 1, noNaN: true });
const noise = (maxLength: number) => fc.uint8Array({ maxLength }).map((bytes) => Buffer.from(bytes));
/** Text with a meaning in HTTP or in its content. */
const marks = fc
  .constantFrom(
    '\0',
    '\r',
    '\n',
    '\r\n',
    '\r\n\r\n',
    '\t',
    ' ',
    ':',
    '\u007f',
    '\ufffd',
    '\ud800',
    ' HTTP/1.1\r\n',
    'HTTP/0.9',
    '%00',
    '%',
    '../',
    '?',
    '#',
    '\r\nHost: evil.example',
    '\r\nContent-Length: 5',
    '\r\nContent-Length: -1',
    '\r\nContent-Length: 99999999999999999999',
    '\r\nTransfer-Encoding: chunked',
    '\r\nTransfer-Encoding: gzip, chunked',
    '\r\nExpect: 100-continue',
    '\r\nConnection: upgrade\r\nUpgrade: h2c',
    '\r\nContent-Encoding: br',
    '\r\nContent-Type: application/json; charset=utf-32',
    `\r\nX: ${'x'.repeat(17_000)}`,
    '\r\n folded: x',
  )
  .map((text) => Buffer.from(text));

const chunks = fc.array(
  fc.constantFrom(
    '0\r\n\r\n',
    '1\r\n{\r\n',
    '2\r\n{}\r\n',
    '02;a=b\r\n{}\r\n',
    '-1\r\n{\r\n',
    '0x2\r\n{}\r\n',
    'fffffffffffffffff\r\n{}\r\n',
    'ffffff\r\n{}',
    '2\n{}\n',
    '2\r\n{}x\r\n',
    '\r\n',
    '\0',
    `${'0'.repeat(20_000)}2\r\n{}\r\n`,
    '0\r\nContent-Length: 9\r\n\r\n',
    '0\r\nX: \0\r\n\r\n',
  ),
  { minLength: 1, maxLength: 6 },
);

/** Bytes that are no longer valid HTTP, or only almost. */
export const spoilings: fc.Arbitrary<Spoiling> = fc.oneof(
  fc.record({ as: fc.constant('noise' as const), bytes: noise(400) }),
  {
    weight: 6,
    arbitrary: fc.record({
      as: fc.constant('edited' as const),
      edits: fc.array(fc.record({ at: share, take: fc.nat(4), put: fc.oneof(noise(4), marks) }), {
        minLength: 1,
        maxLength: 3,
      }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ as: fc.constant('cut' as const), at: share, isReset: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ as: fc.constant('chunked' as const), chunks }) },
  fc.record({
    as: fc.constant('followed' as const),
    by: fc.constantFrom('GET /api/ustat HTTP/1.1\r\nHost: localhost\r\n\r\n', '\r\n\r\n', '\0\0\0\0', 'x'),
  }),
);

/** A request before it is spoiled. */
export type Request = {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | undefined;
};

/** The request's bytes. */
function bytesOf({ method, path, headers, body }: Request, host: string, framed?: object): Buffer {
  const lines = Object.entries({ host, ...headers, ...framed }).map(([name, value]) => `${name}: ${value}`);
  const head = [`${method} ${path} HTTP/1.1`, ...lines, '', ''].join('\r\n');
  return Buffer.concat([Buffer.from(head, 'latin1'), body ?? Buffer.alloc(0)]);
}

/** The request's bytes after spoiling. */
export function spoiled(request: Request, host: string, spoiling: Spoiling): Buffer {
  if (spoiling.as === 'noise') return spoiling.bytes;
  if (spoiling.as === 'chunked') {
    const body = Buffer.from(spoiling.chunks.join(''), 'latin1');
    return bytesOf({ ...request, body }, host, { 'transfer-encoding': 'chunked' });
  }
  const length = request.body && { 'content-length': String(request.body.length) };
  const whole = bytesOf(request, host, length);
  if (spoiling.as === 'cut') return whole.subarray(0, Math.floor(spoiling.at * whole.length));
  if (spoiling.as === 'followed') return Buffer.concat([whole, Buffer.from(spoiling.by)]);
  return spoiling.edits.reduce((bytes, { at, take, put }) => {
    const from = Math.floor(at * bytes.length);
    return Buffer.concat([bytes.subarray(0, from), put, bytes.subarray(from + take)]);
  }, whole);
}

/**
 * After a complete request the client disconnects when no answer comes; after a cut one it disconnects at
 * once.
 */
const SILENCE_MS = 100;
const HANGS_AFTER_MS = 15_000;

/** The answer to some bytes until the socket is closed; rejects when it stays open. */
export const saidTo = (url: string, bytes: Buffer, spoiling: Spoiling) =>
  new Promise<string>((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const socket = connect({ host: hostname, port: Number(port) });
    const parts: Buffer[] = [];
    const timeout = setTimeout(() => {
      socket.destroy();
      reject(new Error('neither an answer nor an end'));
    }, HANGS_AFTER_MS);
    let silence: NodeJS.Timeout | undefined;
    const disconnectSoon = () => {
      clearTimeout(silence);
      silence = setTimeout(() => socket.end(), SILENCE_MS);
    };
    // A reset is a valid answer.
    socket.on('error', () => undefined);
    socket.on('data', (part: Buffer) => {
      parts.push(part);
      disconnectSoon();
    });
    socket.once('close', () => {
      clearTimeout(timeout);
      clearTimeout(silence);
      resolve(Buffer.concat(parts).toString('latin1'));
    });
    socket.once('connect', () => {
      socket.write(bytes, () => {
        if (spoiling.as !== 'cut') disconnectSoon();
        else if (spoiling.isReset) socket.resetAndDestroy();
        else socket.end();
      });
    });
  });

/** The statuses of all answers in the text. */
export const statusesOf = (text: string) =>
  [...text.matchAll(/^HTTP\/1\.1 (\d{3}) /gm)].map(([, status]) => Number(status));

/**
 * The refusals that any client may get: no fault, and no overload, because the requests come one at a time.
 */
const refusalNames = Object.keys(errors) as RefusalName[];
const isDeclared = (status: number, code: string) =>
  refusalNames.some(
    (name) =>
      codeOf(name) === code &&
      errors[name].status === status &&
      name !== 'internal_error' &&
      name !== 'unavailable',
  );

/** Describes an invalid answer to bytes whose call is unknown; undefined if it is valid. */
export function wrongWithSaid(text: string): string | undefined {
  if (text === '') return undefined;
  const [status = 0, ...more] = statusesOf(text);
  const excerpt = text.slice(0, 300);
  if (!text.startsWith('HTTP/1.1 ')) return `words that are no answer: ${excerpt}`;
  if (more.some((later) => later >= 500)) return `after an answer one of ${more.join()}: ${excerpt}`;
  const [head = '', body = ''] = text.split('\r\n\r\n', 2);
  if (!/^x-request-id: /im.test(head)) return status === 100 ? undefined : `without its id: ${excerpt}`;
  if (status < 400) return undefined;
  const code = /^\{"success":false,"error":\{"code":"(\w+)"/.exec(body)?.[1] ?? '';
  const isCut = [408, 417, 431].includes(status) && code === 'malformed_request';
  return isCut || isDeclared(status, code) ? undefined : `${status} ${code}: ${text.slice(-300)}`;
}
