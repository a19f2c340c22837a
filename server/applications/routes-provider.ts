import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Refusal, refuse } from '#contract/errors.ts';
import { findRecord, insertRecord } from './data-records.ts';
import { errorPage, overloadPage } from './error-pages.ts';
import type { Visitor } from './visit.ts';
import { fromNow, MINUTE_MS } from '#server/clock.ts';
import type { Deps } from '#server/deps.ts';
import { queueKeyOf, waitedMs } from '#server/http/admission.ts';
import { clientAddress } from '#server/http/client-address.ts';
import { cookiesOf } from '#server/http/cookies.ts';
import { readTextForms } from '#server/http/form-body.ts';
import type { Lookups } from '#server/http/gate.ts';
import { answerRefusal } from '#server/http/refusal.ts';
import { ipPrefix } from '#server/ip-prefix.ts';
import { randomToken } from '#server/keys.ts';

const MOUNTED_AT = '/oidc';
const discovery = '/.well-known/openid-configuration';
/** The discovery document's names (OpenID Connect Discovery 1.0, RFC 8414), also with a slash too many. */
const isDiscovery = /^\/?\/\.well-known\/(openid-configuration|oauth-authorization-server)\/?(\?|$)/;

/** The endpoints that programs call. They read no cookie, so any site may call them. */
const programRoutes = [
  ['GET', '/jwks', 'readers'],
  ['GET', '/userinfo', 'readers'],
  ['POST', '/userinfo', 'readers'],
  ['POST', '/introspection', 'readers'],
  ['POST', '/token', 'changes'],
  ['POST', '/revocation', 'changes'],
  ['POST', '/par', 'changes'],
  // A page of another origin asks whether it may send these (CORS).
  ['OPTIONS', '/userinfo', 'readers'],
  ['OPTIONS', '/token', 'readers'],
  ['OPTIONS', '/introspection', 'readers'],
  ['OPTIONS', '/jwks', 'readers'],
  ['OPTIONS', '/revocation', 'readers'],
  ['OPTIONS', '/par', 'readers'],
] as const;
const pageRoutes = ['/auth', '/auth/:uid', '/logout'] as const;

/** Forms of other sites send browsers here, without cookies, so the browser repeats the request as a GET. */
const formRoutes = ['/auth', '/logout'] as const;
const repeated = /^(\/auth|\/logout)\?posted=([\w-]+)$/;

/** The provider's one page submits itself; the library adds the hash of its script. */
const PAGE_POLICY = "default-src 'none'; script-src; base-uri 'none'; frame-ancestors 'none'";

/** Parameters with one blank between scopes: the library refuses more, and some clients send them. */
const withSingleBlanks = (parameters: string) =>
  parameters.replace(/(?<=(?:^|[?&])scope=)[^&]*/g, (scopes) =>
    scopes.replace(/(?:\+|%20)+/g, '+').replace(/^\+|\+$/g, ''),
  );

const frames = new Set(['iframe', 'frame']);
const destinationOf = ({ headers }: FastifyRequest) => headers['sec-fetch-dest'] ?? 'document';
const isFramed = (request: FastifyRequest) => frames.has(destinationOf(request));

/** Refuses what no person sees, such as pictures and background requests. A frame may ask for a code silently. */
const refuseUnseen = async (request: FastifyRequest, reply: FastifyReply) =>
  destinationOf(request) === 'document' ||
  (isFramed(request) && request.routeOptions.url === `${MOUNTED_AT}/auth`)
    ? undefined
    : answerRefusal(reply, refuse('cross_site_request'));

/** Mounts the OpenID provider: it answers by itself on the raw request and response. */
export async function serveProvider(app: FastifyInstance, deps: Deps, lookups: Pick<Lookups, 'findCaller'>) {
  const { host, protocol } = deps.config.publicUrl;
  const answer = async (request: FastifyRequest, reply: FastifyReply, asked: string) => {
    // Loaded at the first request: most sites have no application, and its library takes much memory.
    const { currentProvider, provide } = await import('./provider.ts');
    // Before the hijack, after which nobody answers a fault.
    const provider = await currentProvider(deps);
    const { raw } = request;
    const [, endpoint, form] = repeated.exec(asked) ?? [];
    const path = withSingleBlanks(endpoint && form ? `${endpoint}?${await findForm(deps, form)}` : asked);
    const body = typeof request.body === 'string' ? withSingleBlanks(request.body) : undefined;
    const network = ipPrefix(clientAddress(request));
    const token = cookiesOf(request, reply).session.value;
    let visitor: Promise<Visitor | null> | undefined;
    const findVisitor = () => (visitor ??= token ? lookups.findCaller(token) : Promise.resolve(null));
    // The library parses this body. It must never read one itself, because a sender may hold it back.
    Object.assign(raw, { originalUrl: MOUNTED_AT + path, url: path, body });
    raw.headers['x-forwarded-proto'] = protocol.slice(0, -1);
    raw.headers['x-forwarded-host'] = host;
    for (const [name, value] of Object.entries(reply.getHeaders()))
      if (value !== undefined) reply.raw.setHeader(name, value);
    reply.raw.setHeader('content-security-policy', PAGE_POLICY);
    reply.hijack();
    await provide(provider, { findVisitor, network, isFramed: isFramed(request) }, raw, reply.raw);
  };

  await app.register(async (mounted) => {
    readTextForms(mounted);
    for (const [method, path, bound] of programRoutes)
      mounted.route({
        method,
        url: MOUNTED_AT + path,
        exposeHeadRoute: false,
        config: { bound, isForPrograms: method === 'POST' },
        handler: async (request, reply) => {
          const work = () => answer(request, reply, request.url.slice(MOUNTED_AT.length));
          const refusal = await app.admission[bound](work, queueKeyOf(request, reply), waitedMs(request));
          if (refusal instanceof Refusal) await answerRefusal(reply, refusal);
        },
      });
    for (const url of ['/.well-known/*', '//.well-known/*'])
      mounted.route({
        method: ['GET', 'OPTIONS'],
        url,
        exposeHeadRoute: false,
        config: { bound: 'memory' },
        handler: async (request, reply) =>
          isDiscovery.test(request.url) ? answer(request, reply, discovery) : reply.callNotFound(),
      });
  });

  await app.register(async (browsers) => {
    readTextForms(browsers);
    browsers.addHook('onRequest', refuseUnseen);
    const fail = (request: FastifyRequest, reply: FastifyReply, code: string) =>
      reply.redirect(errorPage(deps, code, { path: request.url, ip: clientAddress(request) }), 303);
    browsers.setErrorHandler((error: FastifyError, request, reply) => {
      if (error.code !== 'FST_ERR_CTP_BODY_TOO_LARGE') throw error;
      return fail(request, reply, 'invalid_request');
    });
    const admit = async (
      request: FastifyRequest,
      reply: FastifyReply,
      work: () => Promise<string | Refusal | void>,
    ) => {
      const next = await app.admission.changes(work, queueKeyOf(request, reply), waitedMs(request));
      if (next === undefined) return undefined;
      if (typeof next === 'string') return reply.redirect(next, 303);
      return next.name === 'too_many_requests'
        ? fail(request, reply, 'temporarily_unavailable')
        : reply.redirect(overloadPage(deps), 303);
    };
    const own = { exposeHeadRoute: false, config: { bound: 'changes', isForPrograms: true } } as const;
    for (const path of pageRoutes)
      browsers.get(MOUNTED_AT + path, own, (request, reply) =>
        admit(request, reply, () => answer(request, reply, request.url.slice(MOUNTED_AT.length))),
      );
    for (const path of formRoutes)
      browsers.post(MOUNTED_AT + path, own, (request, reply) =>
        admit(request, reply, async () => {
          const form = typeof request.body === 'string' ? request.body : '';
          if (isFramed(request)) {
            // A frame gets its answer at once, so its request is not kept.
            request.raw.method = 'GET';
            return answer(request, reply, `${path}?${form}`);
          }
          const id = await keepForm(deps, form, ipPrefix(clientAddress(request)));
          return id instanceof Refusal ? id : `${MOUNTED_AT}${path}?posted=${id}`;
        }),
      );
  });
}

const FORM = 'PostedForm';

/** Keeps a posted request for the redirect that repeats it; returns its id. A network has a budget, because strangers post. */
export async function keepForm(deps: Deps, form: string, network: string) {
  const tooMany = await deps.limiter.take('openRequestsHour', network);
  if (tooMany) return tooMany;
  const id = randomToken();
  // The form may contain an ID token, so its parameters must not appear in an address.
  const payload = { query: new URLSearchParams(form).toString() };
  const expiresAt = fromNow(deps.clock, MINUTE_MS);
  await insertRecord(deps, { kind: FORM, id, payload, expiresAt });
  return id;
}

/** The parameters of a kept request; empty after a minute. */
export async function findForm(deps: Deps, id: string): Promise<string> {
  const record = await findRecord(deps, FORM, id);
  return (record?.payload as { readonly query: string } | undefined)?.query ?? '';
}
