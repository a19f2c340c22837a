import type { Readable } from 'node:stream';
import busboy from 'busboy';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Upload } from '#contract/drive.ts';
import { refuse, type Refusal } from '#contract/errors.ts';
import { UPLOAD_MAX_BYTES } from '#contract/limits.ts';
import { piecesOf } from '#server/http/pieces.ts';

/** Accepts only multipart bodies and leaves them unread: a call reads its body after it has found the caller. */
export function takeForms(app: FastifyInstance) {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('multipart/form-data', (_request, _body, done) => done(null));
}

/** A form apart from its file: names, boundaries, a few digits. */
const OUTSIDE_FILE_MAX_BYTES = 8192;
/** Our largest form has four parts. A few more are read, so that the answer can name each unknown field. */
const PARTS_MAX = 16;
/** The parser can stop only between two pieces, so a piece must not keep the event loop for long. */
const PIECE_BYTES = 4096;

/** The parser reports when a limit is reached, so each limit is one above its maximum. */
const limits = {
  parts: PARTS_MAX + 1,
  files: 1,
  fileSize: UPLOAD_MAX_BYTES + 1,
  fieldSize: OUTSIDE_FILE_MAX_BYTES + 1,
};

type Values = Record<string, string | Upload>;
type Unreadable = Refusal<'malformed_request' | 'file_too_large'>;

/**
 * A multipart body as an object of texts and files, each name once. Parsed while it arrives, regardless of
 * its declared length, and refused at the first excess: a part, a file, a byte of the file or around it.
 */
export async function readForm({
  headers,
  raw,
}: Pick<FastifyRequest, 'headers' | 'raw'>): Promise<Values | Unreadable> {
  const maxBytes = UPLOAD_MAX_BYTES + OUTSIDE_FILE_MAX_BYTES;
  const announced = Number(headers['content-length'] ?? maxBytes);
  if (announced > maxBytes) return refuse('file_too_large');
  try {
    const form = openForm(headers['content-type'] ?? '', Math.min(announced, UPLOAD_MAX_BYTES));
    for await (const chunk of piecesOf(raw)) {
      const refusal = await form.take(chunk);
      if (refusal) return refusal;
    }
    return await form.end();
  } catch {
    // A missing boundary or end, or a sender that disconnected.
    return refuse('malformed_request');
  }
}

/** A form that is being read; its file may have `fileMaxBytes`. */
function openForm(contentType: string, fileMaxBytes: number) {
  const values = new Map<string, string | Upload>();
  let [bytes, fileBytes] = [0, 0];
  let refusal: Unreadable | undefined;
  const stop = (name: Unreadable['name']) => void (refusal ??= refuse(name));
  // A part may have no name, although the types say otherwise.
  const store = (name: string | undefined, value: string | Upload) => {
    if (name === undefined || values.has(name)) stop('malformed_request');
    else values.set(name, value);
  };
  const parser = busboy({ headers: { 'content-type': contentType }, limits });
  for (const broken of ['partsLimit', 'filesLimit', 'error'] as const)
    parser.on(broken, () => stop('malformed_request'));
  parser.on('field', store);
  parser.on('file', (name, file) => {
    file.on('limit', () => stop('file_too_large'));
    const upload = receive(file, fileMaxBytes, (count) => (fileBytes += count));
    store(name, upload);
  });

  return {
    async take(chunk: Buffer): Promise<Unreadable | undefined> {
      for (let at = 0; at < chunk.length; at += PIECE_BYTES) {
        const piece = chunk.subarray(at, at + PIECE_BYTES);
        await new Promise<void>((resolve) => void parser.write(piece, () => resolve()));
        bytes += piece.length;
        if (bytes - fileBytes > OUTSIDE_FILE_MAX_BYTES) stop('malformed_request');
        if (refusal) return refusal;
      }
      return undefined;
    },
    async end(): Promise<Values | Unreadable> {
      await new Promise<void>((resolve) => void parser.once('close', resolve).end());
      return refusal ?? Object.fromEntries(values);
    },
  };
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
