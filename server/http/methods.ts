import type { FastifyInstance } from 'fastify';
import { refuse } from '#contract/errors.ts';
import { answerRefusal } from '#server/http/refusal.ts';

const isCall = /^\/(api|drive)\//;

/**
 * Records the methods of each call's path. The returned function is called after all routes are mounted, and
 * refuses every other method with 405 and that list; otherwise a wrong method would look like a missing page.
 */
export function watchMethods(app: FastifyInstance): () => void {
  const methodsOf = new Map<string, Set<string>>();
  app.addHook('onRoute', ({ url, method }) => {
    if (!isCall.test(url)) return;
    methodsOf.set(url, new Set([...(methodsOf.get(url) ?? []), ...[method].flat()]));
  });
  return () => {
    // A copy, because the hook records these routes as well.
    for (const [url, methods] of [...methodsOf].map(([path, set]) => [path, [...set].toSorted()] as const))
      app.route({
        url,
        method: app.supportedMethods.filter((method) => !methods.includes(method)),
        exposeHeadRoute: false,
        config: { bound: 'refused' },
        onRequest: async (_request, reply) =>
          answerRefusal(reply.header('allow', methods.join(', ')), refuse('method_not_allowed')),
        // Never reached, because the refusal is sent before the body is read.
        handler: (_request, reply) => answerRefusal(reply, refuse('method_not_allowed')),
      });
  };
}
