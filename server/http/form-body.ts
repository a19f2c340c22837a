import type { Readable } from 'node:stream';
import busboy from 'busboy';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Upload } from '#contract/drive/calls.ts';
import { refuse, type Refusal } from '#contract/errors.ts';
import { UPLOAD_MAX_BYTES } from '#contract/limits.ts';

/** Accepts only multipart bodies and leaves them unread: a call reads its body after it has found the caller. */
export function takeForms(app: FastifyInstance) {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('multipart/form-data', (_request, _body, done) => done(null));
}

/** As large as the query of a GET can be. */
const TEXT_FORM_MAX_BYTES = 16 * 1024;
/** Takes the forms of other programs and nothing else, and reads them whole before a request takes a slot. */
export function readTextForms(app: FastifyInstance) {
  app.removeAllContentTypeParsers();
  const limits = { parseAs: 'string', bodyLimit: TEXT_FORM_MAX_BYTES } as const;
  app.addContentTypeParser('application/x-www-form-urlencoded', limits, (_request, form, done) =>
    done(null, form),
  );
}

/** A form apart from its file: names, boundaries, a few digits. */
const OUTSIDE_FILE_MAX_BYTES = 8192;
/** Our largest form has four parts. A few more are read, so that the answer can name each unknown field. */
const PARTS_MAX = 16;

/** The parser reports when a limit is reached, so each limit is one above its maximum. */
const limits = {
  parts: PARTS_MAX + 1,
  files: 1,
  fileSize: UPLOAD_MAX_BYTES + 1,
  fieldSize: OUTSIDE_FILE_MAX_BYTES + 1,
};
type Unreadable = Refusal<'malformed_request' | 'file_too_large'>;

/** Parsed while it arrives, regardless of its declared length, and refused at the first excess. */
export async function readForm({
  headers,
  raw,
}: Pick<FastifyRequest, 'headers' | 'raw'>): Promise<Record<string, string | Upload> | Unreadable> {
  const maxBytes = UPLOAD_MAX_BYTES + OUTSIDE_FILE_MAX_BYTES;
  const announced = Number(headers['content-length'] ?? maxBytes);
  if (announced > maxBytes) return refuse('file_too_large');
  const values = new Map<string, string | Upload>();
  let [bytes, fileBytes] = [0, 0];
  let refusal: Unreadable | undefined;
  const stop = (name: Unreadable['name']) => void (refusal ??= refuse(name));
  // A part may have no name, although the types say otherwise.
  const store = (name: string | undefined, value: string | Upload) => {
    if (name === undefined || values.has(name)) stop('malformed_request');
    else values.set(name, value);
  };
  try {
    const parser = busboy({ headers: { 'content-type': headers['content-type'] ?? '' }, limits });
    for (const broken of ['partsLimit', 'filesLimit', 'error'] as const)
      parser.on(broken, () => stop('malformed_request'));
    parser.on('field', store);
    parser.on('file', (name, file) => {
      file.on('limit', () => stop('file_too_large'));
      store(
        name,
        receive(file, Math.min(announced, UPLOAD_MAX_BYTES), (count) => (fileBytes += count)),
      );
    });
    for await (const chunk of raw.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      await new Promise<void>((resolve) => void parser.write(chunk, () => resolve()));
      bytes += chunk.length;
      if (bytes - fileBytes > OUTSIDE_FILE_MAX_BYTES) stop('malformed_request');
      if (refusal) return refusal;
    }
    await new Promise<void>((resolve) => void parser.once('close', resolve).end());
    return refusal ?? Object.fromEntries(values);
  } catch {
    // A missing boundary or end, or a sender that disconnected.
    return refuse('malformed_request');
  } finally {
    // Drops the rest of a refused body, so that the answer arrives.
    raw.resume();
  }
}

/** A file as it arrives: each byte is copied once, into a buffer allocated for the whole file. */
function receive(file: Readable, maxBytes: number, count: (bytes: number) => void): Upload {
  const bytes = Buffer.alloc(maxBytes);
  let size = 0;
  file.on('data', (piece: Buffer) => {
    piece.copy(bytes, size);
    size += piece.length;
    count(piece.length);
  });
  // The form reports the error, too.
  file.on('error', () => undefined);
  return {
    get size() {
      return size;
    },
    bytes: async () => bytes.subarray(0, size),
  };
}
