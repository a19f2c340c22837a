import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { codeOf, errors, Refusal, refuse } from '#contract/errors.ts';
import { errorText } from '#words/error.ts';
import { maskEmail } from '#contract/accounts/mask.ts';
import { isUnreachable } from '#server/db/constraints.ts';
import { clientAddress } from './client-address.ts';
import { languageOf } from './language.ts';
import { inEnglish, inLanguage } from '#server/language.ts';
import { UnknownKey } from '#server/keys.ts';
import { noteOutage } from '#server/outages.ts';
import { StorageAway } from '#server/storage/storage.ts';

type LoggedCaller = { readonly userId?: number | undefined; readonly email?: unknown };
const callers = new WeakMap<FastifyRequest, LoggedCaller>();
export const noteCaller = (request: FastifyRequest, caller: LoggedCaller) =>
  void callers.set(request, { ...callers.get(request), ...caller });

/** Refusals that the operator's monitoring needs: failed proofs, denials, limits. */
const isWatched = ({ name }: Refusal) =>
  [401, 403, 410, 421, 429].includes(errors[name].status) || name === 'org_not_found';

function logRefusal(request: FastifyRequest, refusal: Refusal) {
  const { userId, email } = callers.get(request) ?? {};
  const entry = {
    refused: refusal.name,
    limit: refusal.detail.limit,
    method: request.method,
    path: request.url.split('?', 1)[0],
    ip: clientAddress(request),
    userId,
    email: typeof email === 'string' ? maskEmail(email.slice(0, 254)) : undefined,
  };
  request.log.info(entry, 'refused');
}

export const answerRefusal = (reply: FastifyReply, refusal: Refusal) =>
  inLanguage(languageOf(reply.request), () => sendRefusal(reply, refusal));

function sendRefusal(reply: FastifyReply, refusal: Refusal) {
  if (isWatched(refusal)) logRefusal(reply.request, refusal);
  const { status } = errors[refusal.name];
  const { details = errorText[refusal.name], fields, reason, until, retryAfterSeconds } = refusal.detail;
  const wait = retryAfterSeconds ?? (status === 503 ? 5 : undefined);
  // A limit that waiting does not lift has no time.
  if (wait !== undefined) void reply.header('retry-after', String(wait));
  return reply.code(status).send({
    success: false,
    error: {
      code: codeOf(refusal.name),
      details: typeof details === 'string' ? details : details(),
      ...(fields && { fields }),
      ...(reason && { reason }),
      ...(until && { until: until.toISOString() }),
    },
  });
}

/** The status by Node's error code; every other code gets 400. */
const unreadableStatuses: Record<string, string> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

function unreadableAnswer() {
  const details = inEnglish(() => errorText.malformed_request);
  const body = JSON.stringify({ success: false, error: { code: 'malformed_request', details } });
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(body.length),
    'x-request-id': randomUUID(),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    connection: 'close',
  };
  return { headers, body };
}

/** Answers on the bare socket if input never became a request: a broken line, a head that is too long, a missing body. */
export function answerUnreadable(error: NodeJS.ErrnoException, socket: Socket) {
  if (error.code !== 'ECONNRESET' && socket.writable) {
    const { headers, body } = unreadableAnswer();
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
    const status = unreadableStatuses[error.code ?? ''] ?? '400 Bad Request';
    socket.write([`HTTP/1.1 ${status}`, ...lines, '', body].join('\r\n'));
  }
  socket.destroySoon();
}

/** Refuses an unknown `Expect` header before anything is done; Node's own answer has no envelope. */
export const refuseExpectations = (app: FastifyInstance) =>
  void app.server.on('checkExpectation', (_request, response: ServerResponse) => {
    const { headers, body } = unreadableAnswer();
    response.writeHead(417, headers).end(body);
  });

/** Refusals of the HTTP layer, by Fastify's error code. */
const transportRefusals: Record<string, Refusal> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: refuse('unsupported_media_type'),
  FST_ERR_CTP_BODY_TOO_LARGE: refuse('payload_too_large'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: refuse('malformed_request'),
  FST_ERR_CTP_INVALID_JSON_BODY: refuse('malformed_request'),
  FST_ERR_BAD_URL: refuse('malformed_request'),
};

/** Each reason is an outage of its own. */
function whyAway(error: Error) {
  if (error instanceof UnknownKey) return 'a key is unknown here';
  return error instanceof StorageAway
    ? `the storage does not answer: ${error.message}`
    : 'the database does not answer';
}

/** Turns everything thrown into the envelope; logs unavailable services as warnings, and faults as errors. */
export function refuseErrors(app: FastifyInstance) {
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const transportRefusal = transportRefusals[error.code];
    if (transportRefusal) return answerRefusal(reply, transportRefusal);
    if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500)
      return answerRefusal(reply, refuse('malformed_request'));
    if (isUnreachable(error) || error instanceof StorageAway || error instanceof UnknownKey) {
      noteOutage(app.log, whyAway(error), { err: brief(error), reqId: request.id });
      return answerRefusal(reply, refuse('unavailable'));
    }
    request.log.error({ err: brief(error) }, 'a request failed');
    return answerRefusal(reply, refuse('internal_error'));
  });
}

/** An error for the log: name, code, message and stack, never a query's parameters or a request's body. */
const brief = (error: FastifyError) => ({
  type: error.name,
  code: error.code,
  message: error.message.slice(0, 500),
  stack: error.stack?.slice(0, 2000),
});
