// Whether the portal that this environment describes takes requests: ends with 0 or 1. Given the id of its process, it asks until
// that is so, or the process is gone, and then waits until balancers have seen it as well. What is wrong the portal itself says.
import { get } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { readConfig, WrongEnvironment } from '#server/config.ts';

const PATIENCE_MS = 4000;
const ASK_EVERY_MS = 200;
/** A check a second, two of which have to be good. */
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
    const asked = get({ host, port, path: '/readyz', signal: AbortSignal.timeout(PATIENCE_MS) });
    asked.on('response', ({ statusCode }) => resolve(statusCode === 200));
    asked.on('error', () => resolve(false));
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
