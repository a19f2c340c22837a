import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  errorPage,
  findForm,
  keepForm,
  provide,
  type Visitor,
} from '#server/applications/provider/actions.ts';
import { Refusal } from '#contract/errors.ts';
import type { Deps } from '#server/deps.ts';
import { queueKeyOf, waitedMs } from '#server/http/admission.ts';
import { clientAddress } from '#server/http/client-address.ts';
import { cookiesOf } from '#server/http/cookies.ts';
import type { Lookups } from '#server/http/gate.ts';
import { wholeBody } from '#server/http/pieces.ts';
import { answerRefusal } from '#server/http/refusal.ts';
import { ipPrefix } from '#server/ip-prefix.ts';

const MOUNTED_AT = '/oidc';
const discovery = '/.well-known/openid-configuration';

/** The provider's endpoints with their queues. Those with POST read no cookie, so any site may call them. */
const routes = [
  ['GET', '/auth', 'changes'],
  ['GET', '/auth/:uid', 'changes'],
  ['GET', '/logout', 'changes'],
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

/**
 * The endpoints that a form of another site may send the browser to. Such a request carries no cookie, so the browser
 * repeats it as a GET, which carries them.
 */
const formRoutes = ['/auth', '/logout'] as const;
const repeated = /^(\/auth|\/logout)\?posted=([\w-]+)$/;
/** As large as the query of a GET can be. */
const FORM_MAX_BYTES = 16 * 1024;

/** The provider's one page submits itself; the library adds the hash of its script. */
const PAGE_POLICY = "default-src 'none'; script-src; base-uri 'none'; frame-ancestors 'none'";

/** Mounts the OpenID provider: it answers by itself on the raw request and response. */
export async function serveProvider(app: FastifyInstance, deps: Deps, lookups: Pick<Lookups, 'findCaller'>) {
  const { host, protocol } = deps.config.publicUrl;
  const answer = async (request: FastifyRequest, reply: FastifyReply, asked: string) => {
    const { raw } = request;
    const [, endpoint, form] = repeated.exec(asked) ?? [];
    const path = endpoint && form ? `${endpoint}?${await findForm(deps, form)}` : asked;
    const network = ipPrefix(clientAddress(request));
    const token = cookiesOf(request, reply).session.value;
    let visitor: Promise<Visitor | null> | undefined;
    const findVisitor = () => (visitor ??= token ? lookups.findCaller(token) : Promise.resolve(null));
    // The library parses this body. It must never read one itself, because a sender may hold it back.
    Object.assign(raw, { originalUrl: MOUNTED_AT + path, url: path, body: request.body });
    raw.headers['x-forwarded-proto'] = protocol.slice(0, -1);
    raw.headers['x-forwarded-host'] = host;
    for (const [name, value] of Object.entries(reply.getHeaders()))
      if (value !== undefined) reply.raw.setHeader(name, value);
    reply.raw.setHeader('content-security-policy', PAGE_POLICY);
    // A GET has no use for a body, so nobody reads it.
    if (!raw.complete) reply.raw.shouldKeepAlive = false;
    reply.hijack();
    await provide(deps, { findVisitor, network }, raw, reply.raw);
  };

  const readForms = (of: FastifyInstance) => {
    of.removeAllContentTypeParsers();
    of.addContentTypeParser('application/x-www-form-urlencoded', async (request: FastifyRequest) =>
      String(await wholeBody(request, FORM_MAX_BYTES)),
    );
  };
  await app.register(async (mounted) => {
    readForms(mounted);
    for (const [method, path, bound] of routes)
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
    mounted.route({
      method: ['GET', 'OPTIONS'],
      url: discovery,
      exposeHeadRoute: false,
      config: { bound: 'memory' },
      handler: (request, reply) => answer(request, reply, discovery),
    });
  });

  await app.register(async (posted) => {
    readForms(posted);
    const fail = (request: FastifyRequest, reply: FastifyReply, code: string) =>
      reply.redirect(errorPage(deps, code, { path: request.url, ip: clientAddress(request) }), 303);
    posted.setErrorHandler((error: FastifyError, request, reply) => {
      if (error.code !== 'FST_ERR_CTP_BODY_TOO_LARGE') throw error;
      return fail(request, reply, 'invalid_request');
    });
    for (const path of formRoutes)
      posted.route({
        method: 'POST',
        url: MOUNTED_AT + path,
        config: { bound: 'changes', isForPrograms: true },
        handler: async (request, reply) => {
          const form = typeof request.body === 'string' ? request.body : '';
          const work = () => keepForm(deps, form, ipPrefix(clientAddress(request)));
          const id = await app.admission.changes(work, queueKeyOf(request, reply), waitedMs(request));
          if (id instanceof Refusal)
            return id.name === 'too_many_requests'
              ? fail(request, reply, 'temporarily_unavailable')
              : answerRefusal(reply, id);
          return reply.redirect(`${MOUNTED_AT}${path}?posted=${id}`, 303);
        },
      });
  });
}
