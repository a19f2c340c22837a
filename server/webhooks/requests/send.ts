import { createHmac } from 'node:crypto';
import dns, { type LookupAddress } from 'node:dns';
import { lookup, Resolver } from 'node:dns/promises';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { callbackify } from 'node:util';
import { productSlug } from '#contract/product-slug.ts';
import type { OrgId } from '#contract/wire.ts';
import { SECOND_MS } from '#server/clock.ts';
import type { Deps } from '#server/deps.ts';
import { reasonOf } from '#server/jobs/reasons.ts';
import { unseal } from '#server/keys.ts';
import { isLoopbackAddress, isMetadataAddress, isPublicAddress } from '#server/public-address.ts';
import { SEAL_PURPOSE } from '#server/webhooks/endpoints/webhooks.ts';
import { SECRET_PREFIX } from '#server/webhooks/endpoints/rules.ts';
import { type Outcome, problemOfAnswer, retryAfterMs } from '#server/webhooks/requests/rules.ts';

/** For the whole try, so that a slow receiver holds its slot no longer. */
const TRY_MAX_MS = 10 * SECOND_MS;
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

/** How the names of a webhook's address are found, and which addresses a connection may take. */
type Reach = {
  readonly find: (name: string) => Promise<readonly LookupAddress[]>;
  readonly allows: (address: string) => boolean;
};
/** The same words for an unknown name and for a private address, so that nobody can probe our network's names. */
const NOT_PUBLIC = 'its address is unknown, private or reserved';

/** Asks the name servers only: the system's lookup knows private names, and waits in a thread that mails need. */
async function findPublic(name: string): Promise<LookupAddress[]> {
  if (name === 'localhost') return [{ address: '127.0.0.1', family: 4 }];
  const resolver = new Resolver({ timeout: 2 * SECOND_MS, tries: 2 });
  // `setServers` exchanges this function.
  resolver.setServers(dns.getServers());
  const [v4, v6] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  return [
    ...(v4.status === 'fulfilled' ? v4.value.map((address) => ({ address, family: 4 })) : []),
    ...(v6.status === 'fulfilled' ? v6.value.map((address) => ({ address, family: 6 })) : []),
  ];
}

/** The operator may announce to the site's own network, an organization to this machine outside production only. */
const reachOf = (orgId: OrgId | null, isProduction: boolean): Reach =>
  orgId === null
    ? { find: (name) => lookup(name, { all: true }), allows: (address) => !isMetadataAddress(address) }
    : {
        find: findPublic,
        allows: (address) => isPublicAddress(address) || (!isProduction && isLoopbackAddress(address)),
      };

/** The lookup of a connection. It returns the addresses that were checked. */
function guardedLookup({ find, allows }: Reach): LookupFunction {
  const findReachable = callbackify(async (name: string) =>
    (await find(name)).filter(({ address }) => allows(address)),
  );
  return (name, { all }, done) =>
    findReachable(name, (error, addresses) => {
      const [first] = error ? [] : addresses;
      if (!first) return done(error ?? new Error(NOT_PUBLIC), '');
      return all ? done(null, addresses) : done(null, first.address, first.family);
    });
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

type Answer = {
  readonly statusCode: number;
  readonly retryAfter: string | undefined;
  readonly response: string;
};

/** A receiver may send this many interim answers (1xx). An endless stream of them would occupy this process. */
const INTERIM_MAX = 10;

/** Sends one request and follows no redirect. */
async function post(
  url: URL,
  headers: object,
  body: string,
  { reach, limitMs }: { readonly reach: Reach; readonly limitMs: number },
): Promise<Answer> {
  // A connection to an IP address resolves nothing.
  const literal = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(literal) !== 0 && !reach.allows(literal)) throw new Error(NOT_PUBLIC);
  const signal = AbortSignal.timeout(limitMs);
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const request = send(url, {
    method: 'POST',
    agent: false,
    lookup: guardedLookup(reach),
    signal,
    headers: {
      ...headers,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      'user-agent': `${productSlug()}-webhooks`,
    },
  });
  let interim = 0;
  request
    .on('response', resolve)
    .on('error', reject)
    // An upgrade closes the connection without an error.
    .on('close', () => reject(new Error('the connection ended')))
    .on('information', () => {
      interim += 1;
      if (interim > INTERIM_MAX) request.destroy(new Error('too many interim answers'));
    })
    .end(body);
  try {
    const answer = await promise;
    const response = await keptPart(answer);
    return { statusCode: answer.statusCode ?? 0, retryAfter: answer.headers['retry-after'], response };
  } catch (error) {
    throw signal.aborted ? new Error(`no answer within ${limitMs / SECOND_MS} seconds`) : error;
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
  { keys, clock, config }: Pick<Deps, 'keys' | 'clock' | 'config'>,
  { orgId, url, messageId, payload, sealedSecret, formerSealedSecret }: Message,
  limitMs = TRY_MAX_MS,
): Promise<Outcome & { readonly retryAfterMs: number | null }> {
  const now = clock.now();
  const start = performance.now();
  const durationMs = () => Math.round(performance.now() - start);
  try {
    const body = JSON.stringify(payload);
    const secrets = [sealedSecret, ...(formerSealedSecret ? [formerSealedSecret] : [])].map((sealed) =>
      unseal(keys, SEAL_PURPOSE, sealed),
    );
    const headers = signedHeaders(`msg_${messageId}`, now, body, secrets);
    const reach = reachOf(orgId, config.production);
    const { statusCode, retryAfter, response } = await post(new URL(url), headers, body, { reach, limitMs });
    return {
      statusCode,
      response,
      error: problemOfAnswer(statusCode) ?? null,
      durationMs: durationMs(),
      retryAfterMs: retryAfterMs(retryAfter, now),
    };
  } catch (error) {
    const words = `could not be reached: ${reasonOf(error)}`;
    return { statusCode: null, response: '', error: words, durationMs: durationMs(), retryAfterMs: null };
  }
}
