import { createHmac } from 'node:crypto';
import { lookup as resolve } from 'node:dns';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { PRODUCT_NAME } from '#contract/limits.ts';
import type { OrgId } from '#contract/wire.ts';
import { SECOND_MS } from '#server/clock.ts';
import type { Deps } from '#server/deps.ts';
import { reasonOf } from '#server/jobs/reasons.ts';
import { unseal } from '#server/keys.ts';
import { isLoopbackAddress, isPublicAddress } from '#server/public-address.ts';
import { SEAL_PURPOSE } from '#server/webhooks/endpoints/actions.ts';
import { SECRET_PREFIX } from '#server/webhooks/endpoints/rules.ts';
import { type Outcome, problemOfAnswer, retryAfterMs } from '#server/webhooks/requests/rules.ts';

/** For the whole try, so that a slow receiver holds its slot no longer. */
const TRY_MAX_MS = 10 * SECOND_MS;
const RESPONSE_READ_MAX_BYTES = 64 * 1024;
const RESPONSE_KEPT_BYTES = 1024;

/** The headers of Standard Webhooks. Each secret in use signs, so that a receiver may know either. */
export function signedHeaders(id: string, at: Date, body: string, secrets: readonly string[]) {
  const timestamp = String(Math.floor(at.getTime() / SECOND_MS));
  const signatureBy = (secret: string) =>
    createHmac('sha256', Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64'))
      .update(`${id}.${timestamp}.${body}`)
      .digest('base64');
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets.map((secret) => `v1,${signatureBy(secret)}`).join(' '),
  };
}

type MayReach = (address: string) => boolean;
const REFUSED = 'its address is private or reserved';

/** Resolves a name for a connection and refuses it by the very addresses that the connection would take. */
const guardedLookup =
  (mayReach: MayReach): LookupFunction =>
  (hostname, options, done) =>
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return done(error, '');
      const [first] = addresses;
      if (!first || !addresses.every(({ address }) => mayReach(address))) return done(new Error(REFUSED), '');
      return options.all ? done(null, addresses) : done(null, first.address, first.family);
    });

async function keptPart(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length <= RESPONSE_KEPT_BYTES + chunk.length) chunks.push(chunk);
    // Leaving the loop closes the connection.
    if (length >= RESPONSE_READ_MAX_BYTES) break;
  }
  const kept = Buffer.concat(chunks).subarray(0, RESPONSE_KEPT_BYTES).toString('utf8');
  // PostgreSQL stores no NUL and no lone half of a character.
  return kept.replaceAll('\0', '').toWellFormed();
}

type Answer = {
  readonly statusCode: number;
  readonly retryAfter: string | undefined;
  readonly response: string;
};

/** Sends one request and follows no redirect. */
async function post(url: URL, headers: object, body: string, mayReach: MayReach): Promise<Answer> {
  // A connection to an IP address resolves nothing.
  const literal = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(literal) !== 0 && !mayReach(literal)) throw new Error(REFUSED);
  const signal = AbortSignal.timeout(TRY_MAX_MS);
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
  const { promise, resolve: receive, reject } = Promise.withResolvers<IncomingMessage>();
  const request = send(url, {
    method: 'POST',
    agent: false,
    lookup: guardedLookup(mayReach),
    signal,
    headers: {
      ...headers,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      'user-agent': `${PRODUCT_NAME} webhooks`,
    },
  });
  request.on('response', receive).on('error', reject).end(body);
  try {
    const answer = await promise;
    const response = await keptPart(answer);
    return { statusCode: answer.statusCode ?? 0, retryAfter: answer.headers['retry-after'], response };
  } catch (error) {
    throw signal.aborted ? new Error(`gave no answer within ${TRY_MAX_MS / SECOND_MS} seconds`) : error;
  } finally {
    request.destroy();
  }
}

type Message = {
  readonly orgId: OrgId | null;
  readonly url: string;
  readonly messageId: string;
  readonly payload: object;
  readonly sealedSecret: Uint8Array;
  readonly formerSealedSecret: Uint8Array | null;
};

/** Sends a message once; never throws for the receiver's faults. */
export async function sendMessage(
  deps: Deps,
  { orgId, url, messageId, payload, sealedSecret, formerSealedSecret }: Message,
): Promise<Outcome & { readonly retryAfterMs: number | null }> {
  const body = JSON.stringify(payload);
  const secrets = [sealedSecret, ...(formerSealedSecret ? [formerSealedSecret] : [])].map((sealed) =>
    unseal(deps.keys, SEAL_PURPOSE, sealed),
  );
  const now = deps.clock.now();
  const headers = signedHeaders(`msg_${messageId}`, now, body, secrets);
  // The operator may announce to the site's own network, an organization to this machine outside production only.
  const mayReach = (address: string) =>
    orgId === null || isPublicAddress(address) || (!deps.config.production && isLoopbackAddress(address));
  const start = performance.now();
  const durationMs = () => Math.round(performance.now() - start);
  try {
    const { statusCode, retryAfter, response } = await post(new URL(url), headers, body, mayReach);
    const error = problemOfAnswer(statusCode) ?? null;
    return {
      statusCode,
      response,
      error,
      durationMs: durationMs(),
      retryAfterMs: retryAfterMs(retryAfter, now),
    };
  } catch (error) {
    const words = reasonOf(error);
    return { statusCode: null, response: '', error: words, durationMs: durationMs(), retryAfterMs: null };
  }
}
