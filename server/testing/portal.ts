import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from './ports.ts';

const main = path.join(import.meta.dirname, '../main.ts');
/** The compile cache of `npm start`, so that only the first portal in tests strips types. */
export const compiledFolder = path.join(import.meta.dirname, '../../node_modules/.cache/portico/compiled');

export const newDataDir = () => mkdtempSync(path.join(tmpdir(), 'portico-data-'));

export async function startPortal(environment: Record<string, string>) {
  const port = environment['PORT'] ?? String(await freePort());
  const child = spawn(process.execPath, [main], {
    env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: compiledFolder, PORT: port, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  let errors = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  const exit = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>;
  return {
    url: `http://localhost:${port}`,
    port: Number(port),
    pid: child.pid ?? 0,
    /** The exit code, or the signal that killed it. */
    ended: exit.then(([code, signal]) => code ?? signal),
    out: () => out,
    errors: () => errors,
    kill: (signal: NodeJS.Signals) => child.kill(signal),
    /** Waits until it prints that it is ready; fails with its output otherwise. */
    ready: async (limitMs = 55_000) => {
      const giveUpAt = Date.now() + limitMs;
      while (!out.includes('is ready at')) {
        if (child.exitCode !== null || child.signalCode !== null || Date.now() > giveUpAt)
          throw new Error(`the portal did not start: ${out}${errors}`);
        await pause(10);
      }
    },
  };
}

/** For tests that start a portal, because a start may take most of a minute. */
export const patient = { timeout: 240_000 };

export type Portal = Awaited<ReturnType<typeof startPortal>>;
