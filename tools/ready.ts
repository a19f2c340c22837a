// Ends with 0 if the portal accepts requests, else 1. With a process id it waits until balancers have noticed.
import { get } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { readConfig, WrongEnvironment } from '#server/config.ts';

const PATIENCE_MS = 4000;
const ASK_EVERY_MS = 200;
/** Balancers check every second and need two successes. */
const BALANCERS_SEE_MS = 3000;

const [, , id] = process.argv;
const config = configOrNothing();

function configOrNothing() {
  try {
    return readConfig(process.env);
  } catch (error) {
    if (error instanceof WrongEnvironment) return undefined;
    throw error;
  }
}

const isReady = () =>
  new Promise<boolean>((resolve) => {
    if (!config) return resolve(false);
    const { host, port } = config;
    const request = get({ host, port, path: '/readyz', signal: AbortSignal.timeout(PATIENCE_MS) });
    request.on('response', ({ statusCode }) => resolve(statusCode === 200));
    request.on('error', () => resolve(false));
  });

function lives(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

let ready = await isReady();
if (id !== undefined) {
  while (!ready && lives(Number(id))) {
    await pause(ASK_EVERY_MS);
    ready = await isReady();
  }
  if (ready) await pause(BALANCERS_SEE_MS);
}
process.exit(ready ? 0 : 1);
