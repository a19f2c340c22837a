import type { FastifyInstance, FastifyRequest } from 'fastify';
import { refuse } from '#contract/errors.ts';
import type { Config } from '#server/config.ts';
import { answerRefusal } from '#server/http/refusal.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A GET that writes. */
    readonly alsoWrites?: boolean;
  }
}

const unsafe = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);
/** Balancers and monitors call these under any address; `/metrics` checks the Host itself. */
const anyHost = new Set(['/healthz', '/readyz', '/metrics']);

/** Before all else: only our own Host, and no change that another site caused (docs/security.md C1, E1). */
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
    if (!isUnsafe && !request.routeOptions.config.alsoWrites) return undefined;
    const { origin } = request.headers;
    const site = request.headers['sec-fetch-site'];
    // A browser sends one or both headers; a script sends neither, but has no cookie of a person to misuse.
    const ours = origin === undefined || origins.has(origin);
    // An address typed into the address bar comes from no site, and is always a GET.
    const typed = site === 'none' && !isUnsafe;
    if (ours && (site === undefined || site === 'same-origin' || typed)) return undefined;
    return answerRefusal(reply, refuse('cross_site_request'));
  });
}

/** The host of a request. An absolute URL in the request line overrides Host (RFC 9112, 3.2.2). */
const hostOf = ({ url, headers }: FastifyRequest) =>
  (url.startsWith('/') ? headers.host : URL.parse(url)?.host) ?? '';
