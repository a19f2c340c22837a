import type { FastifyInstance, RouteOptions } from 'fastify';
import type { QueueName } from '#server/http/admission.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The queue in which a route's calls wait, or the reason why they need none. */
    readonly bound?: Bound;
  }
  interface FastifyInstance {
    /** Every route and its bound. */
    readonly bounds: () => readonly { readonly route: string; readonly bound: Bound | undefined }[];
  }
}

/** The bound of a route without a queue; docs/security.md explains each. */
type WithoutLine = 'memory' | 'file' | 'shared' | 'reports' | 'operator' | 'development' | 'refused';
export type Bound = QueueName | WithoutLine;

/** Records the bound of each route mounted from here on. A portal with an unbounded route does not start. */
export function demandBounds(app: FastifyInstance) {
  const routes: RouteOptions[] = [];
  app.addHook('onRoute', (route) => void routes.push(route));
  const bounds = () =>
    routes.flatMap(({ method, url, config }) =>
      [method].flat().map((one) => ({ route: `${one} ${url}`, bound: config?.bound })),
    );
  app.decorate('bounds', bounds);
  // A plugin marks its routes after this hook has seen them, so the check waits until all are there.
  app.addHook('onReady', async () => {
    const unbounded = bounds().filter(({ bound }) => bound === undefined);
    if (unbounded.length > 0)
      throw new Error(`nothing bounds ${unbounded.map(({ route }) => route).join(', ')}`);
  });
}
