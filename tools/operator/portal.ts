import { readFileSync, statSync } from 'node:fs';
import { request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import type { Config } from '#server/config.ts';
import type { Asked } from '#server/http/local-socket.ts';
import { addressOf, databaseName, release, socketFile, tokenFile } from '#server/local-address.ts';
import type { Answer } from '#server/operator/acts/actions.ts';
import { Plain } from './plain.ts';

type Failure = NodeJS.ErrnoException;

/** Asks the portal that holds the folder; undefined if none does. */
export async function askPortal(config: Config, asked: Asked): Promise<Answer | undefined> {
  if (process.platform !== 'win32' && !isOurs(config)) return undefined;
  for (let tries = 0; ; tries += 1) {
    const answer = await ask(config, asked).catch((error: Failure) => {
      // Left behind by a portal that was killed, or replaced this moment.
      if (/^(ECONNREFUSED|ENOENT)$/.test(error.code ?? '')) return undefined;
      throw /^(ECONNRESET|EPIPE)$/.test(error.code ?? '')
        ? new Plain('The portal ended meanwhile: see the log whether it was done.')
        : error;
    });
    // A portal that starts replaces first the token, then the socket.
    if (answer?.statusCode !== 401 || tries > 0) return answer && ((await json(answer)) as Answer);
    answer.resume();
  }
}

/** Whether there is a socket; refuses that of another user, because the token would go there. */
function isOurs(config: Config): boolean {
  const file = socketFile(config);
  const uid = process.getuid?.();
  try {
    const stats = statSync(file, { throwIfNoEntry: false });
    if (stats === undefined || stats.uid === uid) return stats !== undefined;
    throw new Plain(`${file} belongs to another user (${stats.uid}): run this as the portal's user.`);
  } catch (error) {
    if ((error as Failure).code !== 'EACCES') throw error;
    throw new Plain(`This user (${uid}) may not look into ${config.dataDir}: run this as the portal's user.`);
  }
}

async function ask(config: Config, asked: Asked): Promise<IncomingMessage> {
  const headers = {
    authorization: `Bearer ${readFileSync(tokenFile(config), 'utf8')}`,
    release,
    database: databaseName(config),
  };
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  request({ socketPath: addressOf(config), method: 'POST', headers }, resolve)
    .on('error', reject)
    .end(JSON.stringify(asked));
  return promise;
}
