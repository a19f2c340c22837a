import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { freePort } from './ports.ts';

/** A real Redis for one test, without persistence; `url` stays the same after a stop and a start. */
export async function startRedis() {
  const port = await freePort();
  const launch = async () => {
    const flags = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
    const child = spawn('redis-server', flags, { stdio: ['ignore', 'pipe', 'ignore'] });
    for await (const text of child.stdout) if (String(text).includes('Ready to accept connections')) break;
    return child;
  };
  let child = await launch();
  return {
    url: new URL(`redis://127.0.0.1:${port}`),
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
    start: async () => {
      child = await launch();
    },
    /** Until `thaw` it accepts requests and does not answer. */
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
  };
}
