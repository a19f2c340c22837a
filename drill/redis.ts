import { connect } from 'node:net';
import path from 'node:path';
import { freePort } from '#server/testing/ports.ts';
import { type Program, startProgram, until } from './processes.ts';

/** A Redis without persistence that restarts on the same port. */
export async function startRedis(folder: string) {
  const port = await freePort();
  const flags = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  let program: Program;
  const start = async () => {
    program = startProgram('redis', ['redis-server', ...flags], {
      cwd: folder,
      log: path.join(folder, 'log'),
    });
    await until('Redis answers', 10_000, () => isOpen(port));
  };
  await start();
  return {
    url: `redis://127.0.0.1:${port}`,
    start,
    end: (signal?: NodeJS.Signals) => program.end(signal),
    /** It accepts connections and commands, and does not answer. */
    freeze: () => program.signal('SIGSTOP'),
    thaw: () => program.signal('SIGCONT'),
  };
}

const isOpen = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
