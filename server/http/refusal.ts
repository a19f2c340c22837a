import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import type { FastifyError, FastifyInstance, FastifyReply } from 'fastify';
import { codeOf, errors, Refusal, refuse } from '#contract/errors.ts';
import { isUnreachable } from '#server/db/constraints.ts';
import { StorageAway } from '#server/storage/storage.ts';

/** Writes a refusal as the envelope of wire.md. */
export function answerRefusal(reply: FastifyReply, refusal: Refusal) {
  const { status, text } = errors[refusal.name];
  const { details = text, fields, reason, until, retryAfterSeconds } = refusal.detail;
  const wait = retryAfterSeconds ?? (status === 503 ? 5 : undefined);
  // Some limits are not waited out; those name no time.
  if (wait !== undefined) void reply.header('retry-after', String(wait));
  return reply.code(status).send({
    success: false,
    error: {
      code: codeOf(refusal.name),
      details,
      ...(fields && { fields }),
      ...(reason && { reason }),
      ...(until && { until: until.toISOString() }),
    },
  });
}

/** What Node could not read as HTTP, by its error's code. */
const unreadable: Record<string, string> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

/** Answers on the bare socket what never became a request: a broken line, too long a head, a body that never came. */
export function answerUnreadable(error: NodeJS.ErrnoException, socket: Socket) {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const { text: details } = errors.malformed_request;
  const body = JSON.stringify({ success: false, error: { code: 'malformed_request', details } });
  socket.end(
    [
      `HTTP/1.1 ${unreadable[error.code ?? ''] ?? '400 Bad Request'}`,
      'content-type: application/json; charset=utf-8',
      `content-length: ${body.length}`,
      `x-request-id: ${randomUUID()}`,
      'cache-control: no-store',
      'x-content-type-options: nosniff',
      'connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}

/** What the HTTP layer itself can't take, by Fastify's error code. */
const transportRefusals: Record<string, Refusal> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: refuse('unsupported_media_type'),
  FST_ERR_CTP_BODY_TOO_LARGE: refuse('payload_too_large'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: refuse('malformed_request'),
  FST_ERR_CTP_EMPTY_JSON_BODY: refuse('malformed_request'),
  FST_ERR_CTP_INVALID_JSON_BODY: refuse('malformed_request'),
  FST_ERR_BAD_URL: refuse('malformed_request'),
};

/** Turns everything thrown into the envelope: known transport errors, an unreachable database, and the rest, logged once. */
export function refuseErrors(app: FastifyInstance) {
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const known = transportRefusals[error.code];
    if (known) return answerRefusal(reply, known);
    if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500)
      return answerRefusal(reply, refuse('malformed_request'));
    if (isUnreachable(error) || error instanceof StorageAway) {
      request.log.warn({ err: brief(error) }, 'database or storage do not answer');
      return answerRefusal(reply, refuse('unavailable'));
    }
    request.log.error({ err: brief(error) }, 'a request failed');
    return answerRefusal(reply, refuse('internal_error'));
  });
}

/** An error for the log: name, code, message and stack; never a query's parameters or a request's body. */
const brief = (error: FastifyError) => ({
  type: error.name,
  code: error.code,
  message: error.message.slice(0, 500),
  stack: error.stack?.slice(0, 2000),
});
