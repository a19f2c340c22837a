import { timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { refuse } from '#contract/errors.ts';
import type { Config } from '#server/config.ts';
import { isLoopback } from '#server/config-readers.ts';
import { isUnreachable } from '#server/db/constraints.ts';
import type { Deps } from '#server/deps.ts';
import { answerRefusal } from './refusal.ts';
import { jobCounts } from '#server/jobs/data-counts.ts';
import { sha256 } from '#server/keys.ts';

/** Counts every request by its call, and serves `GET /metrics` to this machine or to the holder of the token. */
export function serveMetrics(app: FastifyInstance, deps: Deps) {
  const { metrics, config } = deps;
  app.addHook('onResponse', async (request, reply) => {
    // The registered path, so that a client cannot create series by parameters or unknown paths.
    const { url } = request.routeOptions;
    const endpoint = url === undefined ? 'none' : `${request.method} ${url}`;
    metrics.requests.inc({ endpoint, status: reply.statusCode });
    metrics.requestSeconds.observe({ endpoint }, reply.elapsedTime / 1000);
    if (reply.statusCode === 500) metrics.faults.inc();
  });
  metrics.onReading(() => metrics.hashesWaiting.set(deps.passwords.waiting()));
  metrics.onReading(async () => {
    metrics.jobs.reset();
    metrics.oldestJobSeconds.reset();
    const counts = await jobCounts(deps.sql, deps.clock).catch((error: unknown) => {
      if (!isUnreachable(error)) throw error;
      return undefined;
    });
    metrics.databaseUp.set(counts ? 1 : 0);
    for (const { kind, oldestDueSeconds, ...states } of counts ?? []) {
      for (const [state, count] of Object.entries(states)) metrics.jobs.set({ kind, state }, count);
      metrics.oldestJobSeconds.set({ kind }, oldestDueSeconds);
    }
  });
  app.get('/metrics', { config: { bound: 'operator' } }, async (request, reply) => {
    if (config.metricsToken === null && !isFromHere(request))
      return answerRefusal(reply, refuse('not_found'));
    if (config.metricsToken !== null && !hasToken(request, config.metricsToken))
      return answerRefusal(reply.header('www-authenticate', 'Bearer'), refuse('not_signed_in'));
    return reply.type(metrics.mediaType).send(await metrics.text());
  });
}

/** A proxy on this machine shows in a forwarding header, or passes on the public Host. */
function isFromHere(request: FastifyRequest): boolean {
  const host = /^(.*?)(:\d+)?$/.exec(request.headers.host ?? '')?.[1] ?? '';
  const isForwarded = ['x-forwarded-for', 'forwarded', 'via'].some((name) => name in request.headers);
  const isOwnSocket = /^(127\.|::1$|::ffff:127\.)/.test(request.socket.remoteAddress ?? '');
  return isLoopback(host) && isOwnSocket && !isForwarded;
}

/** Compares hashes in constant time, so that timing reveals nothing, not even the length. */
const hasToken = ({ headers }: FastifyRequest, token: NonNullable<Config['metricsToken']>) =>
  timingSafeEqual(sha256(headers.authorization ?? ''), sha256(`Bearer ${token}`));
