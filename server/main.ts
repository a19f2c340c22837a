import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { pino } from 'pino';
import { product } from '#contract/product.ts';
import { hasUsers } from '#server/accounts/data.ts';
import { createApp } from './app.ts';
import { jobHandlers } from './job-handlers.ts';
import { hourly } from './hourly.ts';
import { SECOND_MS } from './clock.ts';
import { type Config, readConfig } from './config.ts';
import type { Deps } from './deps.ts';
import { withoutLanguage } from './language.ts';
import type { Log } from './log.ts';
import { openLocalSocket } from '#server/http/local-socket.ts';
import { startJobs } from '#server/jobs/jobs.ts';
import { hasInbox } from '#server/mail/inbox.ts';
import { greetMailServer, outboxFolder } from '#server/mail/transports.ts';
import { demandFolders, failedToListen, isLasting, openInstallation, operatorMessage } from './open.ts';
import { answerAct } from '#server/operator/acts/actions.ts';
import { startReporting } from '#server/operator/site/processes.ts';
import { reportChecks } from '#server/operator/site/checks.ts';
import { lowerThreadPool } from './thread-pool.ts';

/** Requests and jobs may go on this long after the listener closes, because a stalled one must not block the stop. */
const STOP_LIMIT_MS = 5 * SECOND_MS;

/** Connections that may wait to be accepted, as when a balancer moves all clients. The kernel may allow fewer. */
const BACKLOG = 4096;

/** The units of deploy/ do not start it again after this code. */
const LASTING = 78;

/** Ends the process: with a message if the operator can solve the problem, otherwise with the stack. */
function fail(error: unknown): never {
  console.error(operatorMessage(error) ?? error);
  process.exit(isLasting(error) ? LASTING : 1);
}

/** Outside production: where the mails are, and how to get a first account. */
async function hintsFor(config: Config, { sql }: Deps): Promise<string[]> {
  const { production, publicUrl, smtpUrl } = config;
  if (production) return [];
  const mails = hasInbox(config)
    ? `Mails can be read at ${publicUrl.origin}/outbox`
    : smtpUrl
      ? 'Mails leave by SMTP.'
      : `Mails are written to ${outboxFolder(config)}`;
  if (await hasUsers(sql)) return [mails];
  return [
    mails,
    `Nobody is here yet: sign up at ${publicUrl.origin}/signup, or stop this and run \`npm run seed\` for made-up people.`,
  ];
}

const openLog = ({ logLevel: level }: Config) =>
  pino({ level, base: { pid: process.pid }, timestamp: pino.stdTimeFunctions.isoTime }, pino.destination(2));

/** A text that is read in no language is a fault. In production people get it in English, and one line tells of it. */
function reportTexts(config: Config, log: Log) {
  let isReported = false;
  return (text: string) => {
    const fault = new Error(`the text "${text}" is read in no language`);
    if (!config.production) throw fault;
    if (!isReported) log.error({ err: fault }, fault.message);
    isReported = true;
  };
}

/** Mails wait for their server, so an unreachable one is no reason to stop. */
const tellOfMailServer = ({ smtpUrl }: Config, log: Log) =>
  smtpUrl &&
  greetMailServer(smtpUrl.href).catch(({ message: reason }: Error) =>
    log.warn({ reason }, 'SMTP_URL: the mail server can not be used, so mails wait'),
  );

async function start(config: Config, log: ReturnType<typeof openLog>) {
  // V8 else guesses which objects live long; a wrong guess costs until the end (docs/decisions/performance.md).
  setFlagsFromString('--no-allocation-site-pretenuring');
  for (const warning of config.warnings) log.warn(warning);
  demandFolders(config);
  const { deps, database } = await openInstallation(config, log);
  deps.metrics.watchProcess();
  reportChecks(deps);
  deps.metrics.watchPools(database.pools);
  const app = await createApp({ ...deps, sql: database.reading }, log);
  // Frees the garbage of the start, because an idle server would never collect it.
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  await app.listen({ port: config.port, host: config.host, backlog: BACKLOG }).catch((error: Error) => {
    throw failedToListen(error);
  });
  const closeSocket = await openLocalSocket(config, log, ({ name, input, operator }) =>
    answerAct({ ...deps, sql: database.reading }, { name: operator, level: 'machine' }, name, input),
  );
  await lowerThreadPool(log);
  void tellOfMailServer(config, log);
  const stopReporting = startReporting(deps);
  const stopJobs = startJobs(deps, jobHandlers(deps), hourly);

  console.log(
    [`${product.name} is ready at ${config.publicUrl.origin}`, ...(await hintsFor(config, deps))].join('\n'),
  );

  let stopping = false;
  const drainEnd = new AbortController();
  const stop = async (drainSeconds = 0) => {
    // The terminal and npm may both send the same signal.
    if (stopping) return;
    stopping = true;
    // Balancers must notice before the listener closes.
    app.drain();
    await pause(drainSeconds * SECOND_MS, undefined, { signal: drainEnd.signal }).catch(() => undefined);
    setTimeout(() => app.server.closeAllConnections(), STOP_LIMIT_MS).unref();
    await Promise.all([app.close(), stopJobs(STOP_LIMIT_MS), stopReporting(), closeSocket(STOP_LIMIT_MS)]);
    await database.close();
    process.exit(0);
  };
  process.on('SIGTERM', () => void stop(config.drainSeconds).catch(fail));
  for (const signal of ['SIGINT', 'SIGHUP'] as const)
    process.on(signal, () => {
      drainEnd.abort();
      void stop().catch(fail);
    });
}

try {
  const config = readConfig(process.env);
  const log = openLog(config);
  await withoutLanguage(reportTexts(config, log), () => start(config, log));
} catch (error) {
  fail(error);
}
