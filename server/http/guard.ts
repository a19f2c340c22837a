import type { FastifyInstance, FastifyRequest } from 'fastify';
import { refuse } from '#contract/errors.ts';
import type { Config } from '#server/config.ts';
import { answerRefusal } from '#server/http/refusal.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A call that writes, though it is a GET. */
    readonly alsoWrites?: boolean;
  }
}

const unsafe = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);
/** Asked by balancers and monitors under whatever address they know; the last looks at the Host itself. */
const anyHost = new Set(['/healthz', '/readyz', '/metrics']);

/** Before anything else: our own Host, and no state change that another site caused (docs/security.md C1, E1). */
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
    // A browser sends one or both; a script sends neither and has no cookie of a person's to misuse.
    const ours = origin === undefined || origins.has(origin);
    // No site causes what is typed into the address bar, and that is a GET.
    const typed = site === 'none' && !isUnsafe;
    if (ours && (site === undefined || site === 'same-origin' || typed)) return undefined;
    return answerRefusal(reply, refuse('cross_site_request'));
  });
}

/** Which host a request is for: one that names it in its first line means that one, whatever Host says (RFC 9112, 3.2.2). */
const hostOf = ({ url, headers }: FastifyRequest) =>
  (url.startsWith('/') ? headers.host : URL.parse(url)?.host) ?? '';
