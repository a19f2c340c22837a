import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, closeSync, mkdtempSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '#server/testing/ports.ts';
import { findProgram } from '#server/testing/programs.ts';

/** A running program that ends with this process, however that ends. */
export interface Program {
  readonly name: string;
  readonly pid: number;
  readonly exit: Promise<number | NodeJS.Signals | null>;
  isRunning(): boolean;
  /** Sends a signal and waits for the exit; a frozen program is continued first. */
  end(signal?: NodeJS.Signals): Promise<void>;
}

interface Account {
  readonly uid: number;
  readonly gid: number;
}

interface Start {
  readonly cwd: string;
  /** The file to which the program's output is appended. */
  readonly log: string;
  readonly env?: Record<string, string | undefined>;
  readonly as?: Account | undefined;
}

/** The kernel kills the program when this process ends; `setpriv` execs it, so its pid is the program's own. */
export function startProgram(
  name: string,
  command: readonly string[],
  { cwd, log, env, as }: Start,
): Program {
  const output = openSync(log, 'a');
  if (as) chownSync(log, as.uid, as.gid);
  const [file = '', ...given] = command;
  const executable = findProgram(file) ?? file;
  const account = as ? [`--reuid=${as.uid}`, `--regid=${as.gid}`, '--clear-groups'] : [];
  const child = spawn('setpriv', [...account, '--pdeathsig=KILL', executable, ...given], {
    cwd,
    env: env ?? process.env,
    stdio: ['ignore', output, output],
    // Keeps Ctrl-C from the program, because the drill stops its programs in order.
    detached: true,
  });
  closeSync(output);
  const exit = once(child, 'exit').then(
    ([code, signal]) => (code ?? signal) as number | NodeJS.Signals | null,
  );
  const isRunning = () => child.exitCode === null && child.signalCode === null;
  return {
    name,
    pid: child.pid ?? 0,
    exit,
    isRunning,
    end: async (signal = 'SIGTERM') => {
      if (!isRunning()) return;
      child.kill(signal);
      child.kill('SIGCONT');
      await exit;
    },
  };
}

/** Polls until the condition holds; after `limitMs` throws an error that names it. */
export async function until(
  what: string,
  limitMs: number,
  isSo: () => Promise<boolean> | boolean,
  everyMs = 50,
) {
  const began = performance.now();
  while (!(await isSo())) {
    if (performance.now() - began > limitMs) throw new Error(`waited ${limitMs / 1000} s in vain: ${what}`);
    await pause(everyMs);
  }
  return performance.now() - began;
}

/** A process of the portal that can be stopped and started again at the same address. */
export interface Portico {
  /** The process itself, without a balancer. */
  readonly url: string;
  readonly port: number;
  readonly log: string;
  readonly program: () => Program;
  launch(release?: string): void;
  /** Waits until it accepts requests; returns the milliseconds. Throws with its last output if it exits. */
  ready(limitMs?: number): Promise<number>;
}

const main = path.join(import.meta.dirname, '../server/main.ts');
/** The memory settings of `npm start`; `npm run drill` passes them on. */
const frugal = Object.fromEntries(
  ['NODE_OPTIONS', 'MALLOC_ARENA_MAX', 'NODE_COMPILE_CACHE'].map((name) => [name, process.env[name]]),
);

/** Describes a process of the portal with its files in a folder; `launch()` starts it. */
export async function portico(
  folder: string,
  environment: Readonly<Record<string, string>>,
): Promise<Portico> {
  const port = await freePort();
  const log = path.join(folder, 'portico.log');
  let program: Program | undefined;
  const running = () => {
    if (!program) throw new Error('it was never started');
    return program;
  };
  const url = `http://127.0.0.1:${port}`;
  const isReady = () =>
    fetch(`${url}/readyz`, { signal: AbortSignal.timeout(2000) }).then(
      async (answer) => {
        await answer.body?.cancel();
        return answer.ok;
      },
      () => false,
    );
  return {
    url,
    port,
    log,
    program: running,
    launch: (release = main) => {
      if (program?.isRunning()) throw new Error('it runs already');
      program = startProgram('portico', [process.execPath, release], {
        cwd: folder,
        log,
        env: {
          PATH: process.env['PATH'],
          ...frugal,
          PORT: String(port),
          DATA_DIR: path.join(folder, 'data'),
          ...environment,
        },
      });
    },
    ready: (limitMs = 60_000) =>
      until(`${url}/readyz`, limitMs, () => {
        if (!running().isRunning())
          throw new Error(`the portal ended: ${readFileSync(log, 'utf8').slice(-2000)}`);
        return isReady();
      }),
  };
}

/** Removed when this process ends in any way, because a shell waits until its standard input closes. */
export function temporaryHome(): { readonly folder: string; remove(): Promise<void> } {
  const folder = mkdtempSync('/tmp/portico-drill-');
  // Unprivileged users can enter their own folder in it and cannot list the others.
  chmodSync(folder, 0o711);
  const script = 'cat >/dev/null; until rm -rf "$0"; do sleep 1; done';
  const keeper = spawn('sh', ['-c', script, folder], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
  return {
    folder,
    remove: async () => {
      const exit = once(keeper, 'exit');
      keeper.stdin.end();
      await exit;
    },
  };
}
