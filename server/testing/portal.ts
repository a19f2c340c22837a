import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '#server/testing/ports.ts';

const main = path.join(import.meta.dirname, '../main.ts');
/** As `npm start` has it: of all portals that tests start only the first strips types. */
export const compiled = path.join(import.meta.dirname, '../../node_modules/.cache/portico/compiled');

export const newDataDir = () => mkdtempSync(path.join(tmpdir(), 'portico-data-'));

/** The portal as an operator starts it: a process of its own, of which one sees what it prints and how it ends. */
export async function startPortal(environment: Record<string, string>) {
  const port = environment['PORT'] ?? String(await freePort());
  const child = spawn(process.execPath, [main], {
    env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: compiled, PORT: port, ...environment },
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
    /** How it ended: the exit code, or the signal that killed it. */
    ended: exit.then(([code, signal]) => code ?? signal),
    out: () => out,
    errors: () => errors,
    kill: (signal: NodeJS.Signals) => child.kill(signal),
    /** Waits until it says that it is ready; fails with what it said instead. */
    ready: async (limitMs = 55_000) => {
      const giveUpAt = Date.now() + limitMs;
      while (!out.includes('Portico is ready')) {
        if (child.exitCode !== null || child.signalCode !== null || Date.now() > giveUpAt)
          throw new Error(`the portal did not start: ${out}${errors}`);
        await pause(10);
      }
    },
  };
}

/** For tests of it: a start alone may take the better part of a minute. */
export const patient = { timeout: 240_000 };

export type Portal = Awaited<ReturnType<typeof startPortal>>;
