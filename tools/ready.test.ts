import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

/** A server whose /readyz answers with these statuses in order; the last one repeats. */
async function startPortal(host: string, ...statuses: number[]) {
  const server = createServer(({ url }, reply) => {
    const status = statuses.length > 1 ? statuses.shift() : statuses[0];
    reply.writeHead(url === '/readyz' ? (status ?? 500) : 404).end();
  });
  server.listen(0, host);
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

const run = (args: readonly string[], environment = {}) =>
  spawn(process.execPath, args, { env: { ...process.env, ...environment }, stdio: 'ignore' });
const exitCode = async (child: ChildProcess) => (await once(child, 'exit'))[0] as number | null;
const script = path.join(import.meta.dirname, 'ready.ts');

/** A process that idles until it is killed. */
function startIdle() {
  const idle = run(['-e', 'setInterval(() => {}, 1e6)']);
  onTestFinished(() => void idle.kill('SIGKILL'));
  return idle;
}

test.for([
  ['127.0.0.2', 200, 0],
  ['0.0.0.0', 503, 1],
] as const)('checks the readiness at %s, which answers %d', async ([HOST, status, code]) => {
  const port = await startPortal(HOST, status);
  expect(await exitCode(run([script], { HOST, PORT: String(port) }))).toBe(code);
});

test('waits until a process is ready', async () => {
  const port = await startPortal('127.0.0.1', 503, 503, 200);
  const { pid } = startIdle();
  expect(await exitCode(run([script, String(pid)], { PORT: String(port) }))).toBe(0);
});

test('stops waiting when the process ends', async () => {
  const port = await startPortal('127.0.0.1', 503);
  const idle = startIdle();
  const waiting = exitCode(run([script, String(idle.pid)], { PORT: String(port) }));
  idle.kill('SIGKILL');
  expect(await waiting).toBe(1);
});

test('leaves wrong settings for the process to report', async () => {
  const refusing = run(['-e', 'setTimeout(() => {}, 500)']);
  expect(await exitCode(run([script, String(refusing.pid)], { PORT: 'none' }))).toBe(1);
  expect(refusing.exitCode).toBe(0);
});
