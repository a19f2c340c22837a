import { connect, type Socket } from 'node:net';
import path from 'node:path';
import { type Contestants, populateContest } from './contests.ts';
import { brokenInvariants, type Evidence, crashedProcesses } from './invariants.ts';
import { withDeps, type Person, populate } from './people.ts';
import { type Portico, portico } from './processes.ts';
import type { Drill } from './scenario.ts';
import { type Wire, wireTo } from './wire.ts';

export const HOST = 'accounts.example';
const some = { organizations: 4, peopleEach: 5 };

/**
 * One process of the portal with the embedded database, as on the internet: real limits, behind a trusted
 * proxy.
 */
export interface Single {
  readonly portal: Portico;
  readonly people: readonly Person[];
  readonly contestants: Contestants;
  /** The connection of clients behind the proxy. */
  readonly wire: Wire;
  /** Stops the process and checks all invariants; returns the breaches in words. */
  breaches(evidence?: Omit<Evidence, 'logs'>): Promise<string[]>;
  end(): Promise<void>;
}

/** Adds people and starts the portal. */
export async function startSingle(
  drill: Drill,
  name: string,
  environment: Readonly<Record<string, string>> = {},
  { crowd = some, flags }: { crowd?: typeof some | undefined; flags?: string[] | undefined } = {},
): Promise<Single> {
  const folder = drill.folder(name);
  const settings = {
    NODE_ENV: 'production',
    PUBLIC_URL: `https://${HOST}`,
    TRUSTED_PROXIES: '127.0.0.1',
    DATA_DIR: path.join(folder, 'data'),
    DRAIN_SECONDS: '0',
    ...environment,
  };
  const { people, contestants } = await withDeps(settings, async (deps) => ({
    people: await populate(deps, crowd.organizations, crowd.peopleEach),
    contestants: await populateContest(deps),
  }));
  const portal = await portico(folder, settings, flags);
  portal.launch();
  await portal.ready();
  const wire = wireTo(portal.url, { host: HOST });
  const end = async () => {
    wire.close();
    await portal.program().end();
  };
  return {
    portal,
    people,
    contestants,
    wire,
    breaches: async (evidence = {}) => {
      const crashed = crashedProcesses([portal]);
      await end();
      const logs = [portal.log];
      return withDeps(settings, async (deps) => [
        ...crashed,
        ...(await brokenInvariants(deps, { ...evidence, logs })),
      ]);
    },
    end,
  };
}

/** A loopback address in a separate network, for an untrusted client that bypasses the proxy. */
export const strangersNetwork = (n: number) => `127.0.${1 + Math.floor(n / 250)}.${1 + (n % 250)}`;

/** A socket of an untrusted client; its errors are ignored. */
export function strangersSocket({ port }: Pick<Portico, 'port'>, from: string): Socket {
  const socket = connect({ port, host: '127.0.0.1', localAddress: from });
  return socket.on('error', () => undefined);
}

const SAID_WITHIN_MS = 5000;

/**
 * The portal's answer to some bytes, and whether it closed the connection. Reading stops after a while of
 * silence.
 */
export const replyTo = (
  portal: Pick<Portico, 'port'>,
  bytes: string | Uint8Array,
  from: string,
  silenceMs = 300,
) =>
  new Promise<{ readonly text: string; readonly hungUp: boolean }>((resolve) => {
    let text = '';
    const socket = strangersSocket(portal, from);
    const finish = (hungUp: boolean) => {
      clearTimeout(silence);
      socket.destroy();
      resolve({ text, hungUp });
    };
    let silence = setTimeout(() => finish(false), SAID_WITHIN_MS);
    socket.setEncoding('utf8').on('data', (part: string) => {
      text += part;
      clearTimeout(silence);
      silence = setTimeout(() => finish(false), silenceMs);
    });
    socket.once('close', () => finish(true));
    socket.once('connect', () => socket.write(bytes));
  });

/** The statuses of all answers in the text. */
export const statusesIn = (text: string) =>
  [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
