import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { freePort } from '#server/testing/ports.ts';
import type { LoadRequest } from './load.ts';

/** The measured calls: requests per round, connections, and whether a call sends mails. */
export const calls = {
  'session check': { count: 6000, atOnce: 32 },
  'session check, one at a time': { count: 1500, atOnce: 1 },
  init: { count: 400, atOnce: 8 },
  'own sessions': { count: 1500, atOnce: 8 },
  '50 of 1,000 members': { count: 800, atOnce: 8 },
  'activity page': { count: 400, atOnce: 8 },
  invite: { count: 100, atOnce: 4, mails: true },
  'permission save': { count: 240, atOnce: 4 },
  'picture fetch': { count: 800, atOnce: 8 },
  'sign-in': { count: 32, atOnce: 4 },
  'sign-up': { count: 32, atOnce: 4, mails: true },
} as const;
export type CallName = keyof typeof calls;

export type Ask = (nth: number) => LoadRequest;

export type Server = {
  readonly pid: number;
  readonly port: number;
  readonly stop: () => Promise<unknown>;
};

export type Side = Server & {
  readonly asks: Readonly<Partial<Record<CallName, Ask>>>;
};

export const PASSWORD = 'sturdy arch 42';
export const PEOPLE = 80;
/** Half of the people call, in rotation; the others only sign in, which may end a person's oldest session. */
export const asker = (nth: number) => nth % (PEOPLE / 2);
export const whoSignsIn = (nth: number) => PEOPLE / 2 + asker(nth);
export const MEMBERS = 1000;
export const OWN_SESSIONS = 5;

process.once('SIGTERM', () => process.exit(143));
/** No server outlives the measurement, however it ends. */
export const endWithUs = (kill: () => void) => void process.once('exit', kill);

/** Starts Better Auth in its own process on a free port. It prints "ready" once it listens. */
export async function startBetterAuthServer(environment: Record<string, string>): Promise<Server> {
  const cwd = path.join(import.meta.dirname, 'better-auth');
  await installPackages(cwd);
  const port = await freePort();
  const child = spawn(process.execPath, ['server.mjs'], {
    cwd,
    env: { PATH: process.env['PATH'], NODE_ENV: 'production', PORT: String(port), ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  endWithUs(() => child.kill('SIGKILL'));
  const [output] = (await Promise.race([once(child.stdout, 'data'), once(child, 'exit')])) as [unknown];
  if (!String(output).includes('ready')) throw new Error(`Better Auth did not start: ${String(output)}`);
  return { pid: child.pid ?? 0, port, stop: () => terminate(child) };
}

async function terminate(child: ChildProcess) {
  const end = once(child, 'exit');
  child.kill('SIGTERM');
  await end;
}

/** Installs the compared packages from their own lock file. */
async function installPackages(cwd: string) {
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const child = spawn('npm', ['ci', ...flags], { cwd, stdio: ['ignore', 'pipe', 'inherit'] });
  const [output] = await Promise.all([text(child.stdout), once(child, 'close')]);
  if (child.exitCode !== 0) throw new Error(`Better Auth could not be installed: ${output}`);
}
