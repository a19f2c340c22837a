import { randomBytes } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { CERTIFICATE } from '#server/testing/certificate.ts';
import { freePort } from '#server/testing/ports.ts';
import { hasSwift, startSwift } from '#server/testing/swift.ts';
import { type Balancer, startBalancer } from './balancer.ts';
import { type DatabasePair, startDatabasePair } from './database.ts';
import { brokenInvariants, type Evidence, crashedProcesses } from './invariants.ts';
import { startLoad } from './load.ts';
import { startMailbox } from './mailbox.ts';
import { withDeps, PASSWORD, type Person, populate } from './people.ts';
import { type Portico, portico, startProgram, until } from './processes.ts';
import { type Wire, wireTo } from './wire.ts';
import { connect } from 'node:net';

async function startRedis(folder: string) {
  const port = await freePort();
  const flags = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  const log = path.join(folder, 'log');
  const program = startProgram('redis', ['redis-server', ...flags], { cwd: folder, log });
  await until('Redis answers', 10_000, () => isOpen(port));
  return { url: `redis://127.0.0.1:${port}`, end: () => program.end() };
}

const isOpen = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });

export interface Stage {
  readonly url: string;
  readonly portals: readonly [Portico, Portico];
  readonly inspector: Readonly<Record<string, string>>;
  readonly balancer: Balancer;
  readonly database: DatabasePair;
  readonly mailbox: Awaited<ReturnType<typeof startMailbox>>;
  readonly people: readonly Person[];
  readonly spares: readonly Person[];
  readonly wire: Wire;
  breaches(evidence?: Omit<Evidence, 'logs'>): Promise<string[]>;
  stop(): Promise<void>;
}

export interface Workplace {
  /** An empty folder that is always removed at the end. */
  readonly folder: (name: string) => string;
  readonly say: (line: string) => void;
}

const ORGANIZATIONS = 100;
const PEOPLE_EACH = 10;
const SPARES = 100;
/** All clients are on this machine. */
const SOCKETS_PER_NETWORK = '4000';
const WARM_UP_RATE = 100;
const WARM_UP_MS = 15_000;

/** Starts everything and adds people; if a part cannot start, the others are stopped. */
export async function startStage(drill: Workplace): Promise<Stage> {
  const parts = new AsyncDisposableStack();
  try {
    return await assemble(drill, parts);
  } catch (error) {
    await parts.disposeAsync();
    throw error;
  }
}

async function assemble({ folder, say }: Workplace, parts: AsyncDisposableStack): Promise<Stage> {
  say('starting PostgreSQL and its standby, Redis, the store, mail, two processes and HAProxy');
  const database = parts.adopt(await startDatabasePair(folder('database')), (it) => it.stop());
  const redis = parts.adopt(await startRedis(folder('redis')), (it) => it.end());
  const mailbox = parts.adopt(await startMailbox(), (it) => it.stop());
  const store = hasSwift() ? parts.adopt(await startSwift(), (it) => it.stop()) : undefined;
  if (!store) say('Swift is not installed: images lie in a folder that both processes see');

  const ports = { web: await freePort(), database: await freePort() };
  const certificate = path.join(folder('certificate'), 'certificate.pem');
  writeFileSync(certificate, CERTIFICATE);
  const secretKey = randomBytes(36).toString('base64url');
  const environment = {
    NODE_ENV: 'production',
    PUBLIC_URL: `http://localhost:${ports.web}`,
    DATABASE_URL: `postgresql://postgres@127.0.0.1:${ports.database}/portico`,
    REDIS_URL: redis.url,
    STORAGE_URL: store?.url() ?? `file:${folder('images')}`,
    SMTP_URL: mailbox.url,
    MAIL_FROM: 'portico@northwind.example',
    SECRET_KEY: secretKey,
    TRUSTED_PROXIES: '127.0.0.1',
    LOG_LEVEL: 'info',
    // Nobody leaves, and each write may invite someone.
    MAX_MEMBERS_PER_ORG: '100000',
    // Receivers of webhooks have the certificate of the tests.
    NODE_EXTRA_CA_CERTS: certificate,
  };
  const portals = [
    await portico(folder('one'), environment),
    await portico(folder('two'), environment),
  ] as const;
  const balancer = parts.adopt(
    await startBalancer(
      folder('haproxy'),
      {
        web: { port: ports.web, portals: [portals[0].port, portals[1].port] },
        database: { port: ports.database, nodes: database.ports },
      },
      { SOCKETS_PER_NETWORK },
    ),
    (it) => it.end(),
  );
  // It counts no limits, so it needs no Redis.
  const { REDIS_URL: _, ...rest } = environment;
  const inspector = { ...rest, DATA_DIR: folder('inspector') };
  const { people, spares } = await withDeps(inspector, async (deps) => ({
    people: await populate(deps, ORGANIZATIONS, PEOPLE_EACH),
    spares: await populate(deps, 1, SPARES),
  }));
  for (const one of portals) {
    one.launch();
    parts.defer(() => one.program().end());
  }
  for (const one of portals) await one.ready();
  const url = `http://127.0.0.1:${ports.web}`;
  const { host } = new URL(environment.PUBLIC_URL);
  const wire = parts.adopt(wireTo(url, { host }), (it) => it.close());
  // Warm up, because a fresh process uses less memory than later.
  await using warming = startLoad({ wire, people, rate: WARM_UP_RATE });
  await pause(WARM_UP_MS);
  await warming.stop();

  return {
    url,
    portals,
    inspector,
    balancer,
    database,
    mailbox,
    people,
    spares,
    wire,
    breaches: (evidence = {}) => {
      const secrets = {
        'the secret key': [secretKey],
        'a password': [PASSWORD],
        'a session': [...people, ...spares].map(({ cookie }) => cookie.split('=', 2)[1] ?? ''),
        'a mailed digest': mailbox.digests(),
        ...evidence.secrets,
      };
      const { unexcused } = mailbox.repeats();
      const logs = portals.map(({ log }) => log).filter((log) => existsSync(log));
      return withDeps(inspector, async (deps) => [
        ...crashedProcesses(portals),
        ...(unexcused > 0 ? [`8: ${unexcused} mails came twice`] : []),
        ...(await brokenInvariants(deps, { mailIdsOf: mailbox.mailIdsOf, ...evidence, logs, secrets })),
      ]);
    },
    stop: () => parts.disposeAsync(),
  };
}
