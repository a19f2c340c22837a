import type { FastifyInstance } from 'fastify';
import { MINUTE_MS } from '#server/clock.ts';
import type { Deps } from '#server/deps.ts';
import { clientAddress } from './client-address.ts';
import { ipPrefix } from '#server/ip-prefix.ts';

const REPORT_MAX_BYTES = 8192;
const LOGGED_CHARACTERS = 1000;
/** Log lines per minute. A few are enough, because a page that breaks the policy repeats its report. */
const LINES_PER_MINUTE = { total: 60, perNetwork: 6 };

/** Violations of the content security policy, truncated and without URL queries, which may contain digests. */
export async function serveReports(app: FastifyInstance, deps: Pick<Deps, 'clock' | 'log' | 'metrics'>) {
  const mayLog = logBudget(deps);
  await app.register(async (reports) => {
    reports.removeAllContentTypeParsers();
    const types = ['application/csp-report', 'application/reports+json'];
    const limits = { parseAs: 'string', bodyLimit: REPORT_MAX_BYTES } as const;
    reports.addContentTypeParser(types, limits, (_request, report, done) => done(null, report));
    reports.post('/cspreport', { config: { bound: 'reports' } }, (request, reply) => {
      if (mayLog(ipPrefix(clientAddress(request)))) {
        const report = String(request.body)
          .replace(/\?[^"\\\s]*/g, '')
          .slice(0, LOGGED_CHARACTERS);
        request.log.warn({ report }, 'a content security policy report');
      }
      return reply.code(204).send();
    });
  });
}

/** Each process counts for itself, because a shared counter would cost a database write, more than the line. */
function logBudget({ clock, log, metrics }: Pick<Deps, 'clock' | 'log' | 'metrics'>) {
  let until = 0;
  let total = 0;
  const byNetwork = new Map<string, number>();
  return (network: string) => {
    const now = clock.now().getTime();
    if (now >= until) {
      until = now + MINUTE_MS;
      total = 0;
      byNetwork.clear();
    }
    const lines = byNetwork.get(network) ?? 0;
    if (total >= LINES_PER_MINUTE.total || lines >= LINES_PER_MINUTE.perNetwork) {
      metrics.limited.inc({ limit: 'reports' });
      return false;
    }
    total += 1;
    byNetwork.set(network, lines + 1);
    if (total === LINES_PER_MINUTE.total) log.warn({}, 'more reports of this minute are not written');
    return true;
  };
}
