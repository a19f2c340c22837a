import type { FastifyInstance, RouteOptions } from 'fastify';
import type { QueueName } from './admission.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The queue in which a route's calls wait, or the reason why they need none. */
    readonly bound?: Bound;
  }
  interface FastifyInstance {
    readonly bounds: () => readonly { readonly route: string; readonly bound: Bound | undefined }[];
  }
}

/** The bounds of routes without a queue; docs/security.md explains each. */
type WithoutQueue = 'language' | 'memory' | 'file' | 'shared' | 'reports' | 'operator' | 'development';
type Bound = QueueName | WithoutQueue;

/** Records the bound of each route that is mounted later. A portal with an unbounded route does not start. */
export function demandBounds(app: FastifyInstance) {
  const routes: RouteOptions[] = [];
  app.addHook('onRoute', (route) => void routes.push(route));
  const bounds = () =>
    routes.flatMap(({ method, url, config }) =>
      [method].flat().map((verb) => ({ route: `${verb} ${url}`, bound: config?.bound })),
    );
  app.decorate('bounds', bounds);
  // A plugin sets the bounds of its routes after this hook, so the check waits until all routes are mounted.
  app.addHook('onReady', async () => {
    const unbounded = bounds().filter(({ bound }) => bound === undefined);
    if (unbounded.length > 0)
      throw new Error(`nothing bounds ${unbounded.map(({ route }) => route).join(', ')}`);
  });
}
