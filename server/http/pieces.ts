import type { IncomingMessage } from 'node:http';
import { setImmediate as endOfTurn } from 'node:timers/promises';
import { errorCodes, type FastifyInstance, type FastifyRequest } from 'fastify';
import { SECOND_MS } from '#server/clock.ts';

/** Chunk sizes and line breaks may take this many bytes plus a quarter of the content. */
const FRAMING_MAX_BYTES = 16_384;

/** A body that cannot be read to its end: too much framing, or a sender that disconnected. */
class BrokenBody extends Error {
  readonly statusCode = 400;
}

/**
 * A body piece by piece, one per turn of the event loop. Node would read up to two megabytes of a socket in
 * one turn, and a chunk of one byte costs as much as one of thousands. So a body of tiny chunks is aborted.
 */
export async function* piecesOf(raw: IncomingMessage): AsyncGenerator<Buffer> {
  const before = raw.socket.bytesRead;
  let content = 0;
  try {
    for await (const piece of raw.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      content += piece.length;
      const framing = raw.socket.bytesRead - before - content - raw.readableLength;
      if (framing > FRAMING_MAX_BYTES + content / 4) throw new BrokenBody('more framing than content');
      yield piece;
      if (!raw.readableEnded) await endOfTurn();
    }
  } catch (error) {
    throw error instanceof BrokenBody ? error : new BrokenBody('no end', { cause: error });
  }
}

/** Reads a body of at most `maxBytes`; throws at a longer or badly framed one before it reads the rest. */
export async function wholeBody({ headers, raw }: FastifyRequest, maxBytes: number): Promise<Buffer> {
  if (Number(headers['content-length']) > maxBytes) throw new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE();
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of piecesOf(raw)) {
    size += piece.length;
    if (size > maxBytes) throw new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE();
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

const LINGER_MS = 2 * SECOND_MS;

/** Reads and drops the rest of an answered request for a while, so that the answer arrives; then closes the socket. */
export function drainAnswered(app: FastifyInstance) {
  app.addHook('onSend', async ({ raw }, reply) => {
    if (raw.complete || raw.readableEnded) return;
    reply.raw.once('finish', () => {
      if (raw.readableEnded) return;
      const timer = setTimeout(() => raw.socket.destroy(), LINGER_MS).unref();
      raw.once('end', () => clearTimeout(timer));
    });
    void drain(raw);
  });
}

async function drain(raw: IncomingMessage) {
  try {
    const pieces = piecesOf(raw);
    while ((await pieces.next()).done !== true);
  } catch {
    raw.socket.destroy();
  }
}
