import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { provide, type Visitor } from '#server/applications/provider/actions.ts';
import { Refusal } from '#contract/errors.ts';
import type { Deps } from '#server/deps.ts';
import { queueKeyOf, waitedMs } from '#server/http/admission.ts';
import { cookiesOf } from '#server/http/cookies.ts';
import type { Lookups } from '#server/http/gate.ts';
import { answerRefusal } from '#server/http/refusal.ts';

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
] as const;

/** Mounts the OpenID provider: it answers by itself on the raw request and response. */
export async function serveProvider(app: FastifyInstance, deps: Deps, lookups: Pick<Lookups, 'findCaller'>) {
  const { host, protocol } = deps.config.publicUrl;
  const answer = async (request: FastifyRequest, reply: FastifyReply, path: string) => {
    const { raw } = request;
    const token = cookiesOf(request, reply).session.value;
    let visitor: Promise<Visitor | null> | undefined;
    const findVisitor = () => (visitor ??= token ? lookups.findCaller(token) : Promise.resolve(null));
    Object.assign(raw, { originalUrl: MOUNTED_AT + path, url: path });
    raw.headers['x-forwarded-proto'] = protocol.slice(0, -1);
    raw.headers['x-forwarded-host'] = host;
    for (const [name, value] of Object.entries(reply.getHeaders()))
      if (value !== undefined) reply.raw.setHeader(name, value);
    reply.hijack();
    await provide(deps, findVisitor, raw, reply.raw);
  };

  await app.register(async (mounted) => {
    // The provider reads bodies itself.
    mounted.removeAllContentTypeParsers();
    mounted.addContentTypeParser('*', (_request, _payload, done) => done(null));
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
      method: 'GET',
      url: discovery,
      exposeHeadRoute: false,
      config: { bound: 'memory' },
      handler: (request, reply) => answer(request, reply, discovery),
    });
  });
}
