import { createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { productSlug } from '#contract/product-slug.ts';
import type { OrgId } from '#contract/wire.ts';
import { SECOND_MS } from '#server/clock.ts';
import type { Deps } from '#server/deps.ts';
import {
  guardedRequest,
  operatorsReach,
  organizationsReach,
  REQUEST_MAX_MS,
} from '#server/guarded-requests.ts';
import { reasonOf } from '#server/jobs/reasons.ts';
import { unseal } from '#server/keys.ts';
import { SEAL_PURPOSE } from '#server/webhooks/endpoints/webhooks.ts';
import { SECRET_PREFIX } from '#server/webhooks/endpoints/rules.ts';
import { type Outcome, problemOfAnswer, retryAfterMs } from './rules.ts';

const RESPONSE_KEPT_BYTES = 1024;

/** The headers of Standard Webhooks. Each secret in use signs, so that a receiver may know either. */
function signedHeaders(id: string, at: Date, body: string, secrets: readonly string[]) {
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

/** The first kilobyte of an answer. The status has decided, so a body that drips or breaks off is no failure. */
async function keptPart(answer: IncomingMessage): Promise<string> {
  let bytes = Buffer.alloc(0);
  try {
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      bytes = Buffer.concat([bytes, chunk]);
      // Leaving the loop closes the connection.
      if (bytes.length >= RESPONSE_KEPT_BYTES) break;
    }
  } catch {
    // The bytes until then are enough.
  }
  const kept = bytes.subarray(0, RESPONSE_KEPT_BYTES).toString('utf8');
  // PostgreSQL stores no NUL.
  return kept.replaceAll('\0', '');
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
  { keys, clock, config }: Pick<Deps, 'keys' | 'clock' | 'config'>,
  { orgId, url, messageId, payload, sealedSecret, formerSealedSecret }: Message,
  limitMs = REQUEST_MAX_MS,
): Promise<Outcome & { readonly retryAfterMs: number | null }> {
  const now = clock.now();
  const start = performance.now();
  const durationMs = () => Math.round(performance.now() - start);
  try {
    const body = JSON.stringify(payload);
    const secrets = [sealedSecret, ...(formerSealedSecret ? [formerSealedSecret] : [])].map((sealed) =>
      unseal(keys, SEAL_PURPOSE, sealed),
    );
    const headers = {
      ...signedHeaders(`msg_${messageId}`, now, body, secrets),
      'content-type': 'application/json',
      'user-agent': `${productSlug()}-webhooks`,
    };
    const reach = orgId === null ? operatorsReach : organizationsReach(config);
    const sent = { method: 'POST', headers, body };
    return await guardedRequest(new URL(url), sent, { reach, limitMs }, async (answer) => {
      const { statusCode = 0 } = answer;
      return {
        statusCode,
        response: await keptPart(answer),
        error: problemOfAnswer(statusCode) ?? null,
        durationMs: durationMs(),
        retryAfterMs: retryAfterMs(answer.headers['retry-after'], now),
      };
    });
  } catch (error) {
    const words = `could not be reached: ${reasonOf(error)}`;
    return { statusCode: null, response: '', error: words, durationMs: durationMs(), retryAfterMs: null };
  }
}
