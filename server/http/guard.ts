import type { FastifyInstance, FastifyRequest } from 'fastify';
import { refuse } from '#contract/errors.ts';
import type { Config } from '#server/config.ts';
import { answerRefusal } from './refusal.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A GET that writes. */
    readonly alsoWrites?: boolean;
    /** Reads no cookie, so programs and pages of other sites may call it. */
    readonly isForPrograms?: boolean;
    /** A form that works without a script: from our pages, which send no referrer, its Origin is "null". */
    readonly isPlainForm?: boolean;
  }
}

const unsafe = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);
/** Balancers and monitors call these under any Host; `/metrics` checks it itself. */
const anyHost = new Set(['/healthz', '/readyz', '/metrics']);

/** Refuses foreign Hosts and changes that another site caused, before anything else runs (docs/security.md C1, E1). */
export function guardOrigin(app: FastifyInstance, { publicUrl }: Pick<Config, 'publicUrl'>) {
  const hosts = [publicUrl.host];
  if (publicUrl.hostname === 'localhost')
    hosts.push(...['127.0.0.1', '[::1]'].map((name) => publicUrl.host.replace('localhost', name)));
  const origins = new Set(hosts.map((host) => `${publicUrl.protocol}//${host}`));

  app.addHook('onRequest', async (request, reply) => {
    const path = request.url.split('?', 1)[0] ?? '';
    if (!hosts.includes(hostOf(request).toLowerCase()) && !anyHost.has(path))
      return answerRefusal(reply, refuse('misdirected_request'));
    const isUnsafe = unsafe.has(request.method);
    const { alsoWrites, isForPrograms, isPlainForm } = request.routeOptions.config;
    if (isForPrograms || (!isUnsafe && !alsoWrites)) return undefined;
    const { origin } = request.headers;
    const site = request.headers['sec-fetch-site'];
    // A browser sends one or both headers; a script sends neither, but has no cookie of a person to misuse.
    const isUnnamed = origin === 'null' && isPlainForm && site === 'same-origin';
    const isOwnOrigin = origin === undefined || origins.has(origin) || isUnnamed;
    // A person who types an address comes from no site, and sends a GET.
    const isTyped = site === 'none' && !isUnsafe;
    if (isOwnOrigin && (site === undefined || site === 'same-origin' || isTyped)) return undefined;
    return answerRefusal(reply, refuse('cross_site_request'));
  });
}

/** The host of a request. An absolute URL in the request line overrides Host (RFC 9112, 3.2.2). */
const hostOf = ({ url, headers }: FastifyRequest) =>
  (url.startsWith('/') ? headers.host : URL.parse(url)?.host) ?? '';
