import type { FastifyInstance } from 'fastify';
import { product } from '#contract/product.ts';
import { sha256 } from '#server/keys.ts';

/**
 * Serves a text that stays the same while the portal keeps its name; a client that has it gets 304. It is made when it is
 * first asked for, because the guide to the API takes a tenth of a second, and few processes are asked.
 */
export function serveFixedText(
  app: FastifyInstance,
  path: string,
  {
    text,
    type,
    headers = {},
  }: { text: () => string; type: string; headers?: Readonly<Record<string, string>> },
) {
  const make = (name: string) => {
    const words = text();
    return { name, bytes: Buffer.from(words), etag: `"${sha256(words).toString('base64url')}"` };
  };
  let made: ReturnType<typeof make> | undefined;
  app.get(path, { config: { bound: 'memory' } }, (request, reply) => {
    if (made?.name !== product.name) made = make(product.name);
    const { bytes, etag } = made;
    void reply.headers(headers).header('etag', etag);
    return isKnown(request.headers['if-none-match'], etag)
      ? reply.code(304).send()
      : reply.type(type).send(bytes);
  });
}

/** Weak comparison (RFC 9110, 13.1.2), because a proxy that compresses makes the tag weak. */
const isKnown = (known: string | undefined, etag: string) =>
  known?.split(',').some((tag) => ['*', etag].includes(tag.trim().replace(/^W\//, ''))) === true;
