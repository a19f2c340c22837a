import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { refuse, type Refusal } from '#contract/errors.ts';
import { UPLOAD_MAX_BYTES } from '#contract/limits.ts';
import { SECOND_MS } from '#server/clock.ts';

/** Lets multipart bodies through unread, and no others: the call reads its body once it knows who sends it. */
export function takeForms(app: FastifyInstance) {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('multipart/form-data', (_request, _body, done) => done(null));
}

/** What a form holds besides its file: names, boundaries, a few digits. */
const AROUND_FILE_MAX_BYTES = 8192;

/**
 * A multipart body as an object of texts and files, each name once. It is counted while it arrives, whatever its head
 * says of its length, and refused as soon as it is longer than the largest file and what stands around it.
 */
export async function readForm(
  request: FastifyRequest,
): Promise<Record<string, unknown> | Refusal<'malformed_request' | 'file_too_large'>> {
  const most = UPLOAD_MAX_BYTES + AROUND_FILE_MAX_BYTES;
  if (Number(request.headers['content-length']) > most) return refuse('file_too_large');
  const body = await readUpTo(request.raw, most);
  if (!body) return refuse('malformed_request');
  if (body.length > most) return refuse('file_too_large');
  const headers = { 'content-type': request.headers['content-type'] ?? '' };
  const form = await new Response(body, { headers }).formData().catch(() => undefined);
  const parts = [...(form ?? [])];
  if (!form || new Set(form.keys()).size < parts.length) return refuse('malformed_request');
  if (parts.some(([, part]) => typeof part !== 'string' && part.size > UPLOAD_MAX_BYTES))
    return refuse('file_too_large');
  return Object.fromEntries(parts);
}

/** Everything that comes, or the first bytes over the limit; undefined when the sender went away. */
async function readUpTo(body: IncomingMessage, most: number): Promise<Buffer<ArrayBuffer> | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of body.iterator({ destroyOnReturn: false })) {
      chunks.push(chunk as Buffer);
      length += (chunk as Buffer).length;
      if (length > most) break;
    }
  } catch {
    return undefined;
  }
  return Buffer.concat(chunks);
}

const LINGER_MS = 2 * SECOND_MS;

/** What still comes of an answered request is thrown away for a moment, so that the answer arrives; then the line is cut. */
export function cutSoon({ raw }: FastifyRequest) {
  if (raw.complete) return;
  const cut = setTimeout(() => raw.socket.destroy(), LINGER_MS).unref();
  raw.once('end', () => clearTimeout(cut)).resume();
}
