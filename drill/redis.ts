import { connect } from 'node:net';
import path from 'node:path';
import { freePort } from '#server/testing/ports.ts';
import { startProgram, until } from './processes.ts';

export async function startRedis(folder: string) {
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
