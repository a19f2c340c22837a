import dns, { type LookupAddress } from 'node:dns';
import { lookup, Resolver } from 'node:dns/promises';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { callbackify } from 'node:util';
import type { CustomFetch } from 'openid-client';
import { SECOND_MS } from './clock.ts';
import { isLoopbackAddress, isMetadataAddress, isPublicAddress } from './public-address.ts';

/** For the whole request, so that a slow receiver holds its slot no longer. */
export const REQUEST_MAX_MS = 10 * SECOND_MS;
/** Real answers of identity providers are smaller, also for people in a thousand groups. */
const ANSWER_MAX_BYTES = 256 * 1024;

/** How the names of an address are found, and which addresses a connection may take. */
export type Reach = {
  readonly find: (name: string) => Promise<readonly LookupAddress[]>;
  readonly allows: (address: string) => boolean;
};

class NotPublic extends Error {
  readonly code = 'ADDRESS_NOT_PUBLIC';
  constructor() {
    // The same words for an unknown name and for a private address, so that nobody can probe our network's names.
    super('its address is unknown, private or reserved');
  }
}

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

/** An address that the operator set may be in the site's own network. */
export const operatorsReach: Reach = {
  find: (name) => lookup(name, { all: true }),
  allows: (address) => !isMetadataAddress(address),
};
/** One that an organization set is public; outside production it may be this machine. */
export const organizationsReach = ({ production }: { readonly production: boolean }): Reach => ({
  find: findPublic,
  allows: (address) => isPublicAddress(address) || (!production && isLoopbackAddress(address)),
});

/** The lookup of a connection. It returns the addresses that were checked. */
function guardedLookup({ find, allows }: Reach): LookupFunction {
  const findReachable = callbackify(async (name: string) =>
    (await find(name)).filter(({ address }) => allows(address)),
  );
  return (name, { all }, done) =>
    findReachable(name, (error, addresses) => {
      const [first] = error ? [] : addresses;
      if (!first) return done(error ?? new NotPublic(), '');
      return all ? done(null, addresses) : done(null, first.address, first.family);
    });
}

/** A receiver may send this many interim answers (1xx). An endless stream of them would occupy this process. */
const INTERIM_MAX = 10;

type Sent = {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
};
type Limits = { readonly reach: Reach; readonly limitMs: number; readonly signal?: AbortSignal | undefined };

/** Sends one request, follows no redirect, and ends the connection after `read`. */
export async function guardedRequest<T>(
  url: URL,
  { body, ...options }: Sent,
  { reach, limitMs, signal: given }: Limits,
  read: (answer: IncomingMessage, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  // A connection to an IP address resolves nothing.
  const literal = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(literal) !== 0 && !reach.allows(literal)) throw new NotPublic();
  const late = AbortSignal.timeout(limitMs);
  const signal = given ? AbortSignal.any([late, given]) : late;
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const request = send(url, { ...options, agent: false, lookup: guardedLookup(reach), signal });
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
    return await read(await promise, signal);
  } catch (error) {
    // Its reason says more than Node's error.
    given?.throwIfAborted();
    throw late.aborted ? new Error(`no answer within ${limitMs / SECOND_MS} seconds`) : error;
  } finally {
    request.destroy();
  }
}

class AnswerTooLarge extends Error {
  readonly code = 'ANSWER_TOO_LARGE';
}

export async function readBounded(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    // Leaving the loop cancels the answer.
    if (size > ANSWER_MAX_BYTES) throw new AnswerTooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** A `fetch` of short texts for an address that may be hostile. */
export const guardedFetch =
  (reach: Reach, limitMs = REQUEST_MAX_MS): CustomFetch =>
  (url, { method, headers, body, signal }) => {
    if (body && typeof body !== 'string' && !(body instanceof URLSearchParams))
      throw new TypeError('a guarded request has a body of text');
    const sent = { method, headers, ...(body && { body: body.toString() }) };
    return guardedRequest(new URL(url), sent, { reach, limitMs, signal }, async (answer, ended) => {
      const text = await readBounded(answer as AsyncIterable<Buffer>);
      // An answer without a length looks whole when its connection is cut.
      ended.throwIfAborted();
      return new Response(text === '' ? null : text, {
        status: answer.statusCode ?? 0,
        headers: Object.entries(answer.headersDistinct).map(([name, values = []]) => [
          name,
          values.join(', '),
        ]),
      });
    });
  };
