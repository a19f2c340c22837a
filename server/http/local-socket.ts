import { timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import path from 'node:path';
import { json } from 'node:stream/consumers';
import type { Config } from '#server/config.ts';
import { randomToken, sha256 } from '#server/keys.ts';
import { addressOf, databaseName, release, socketFile, tokenFile } from '#server/local-address.ts';
import type { Log } from '#server/log.ts';

type Place = Pick<Config, 'dataDir' | 'databaseUrl'>;
export type Asked = {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly operator: string;
};

const no = (status: number, refused: string) => ({ status, body: { refused } });

/** Why a command may not ask here; undefined if it may. It sends the token, because a Windows pipe has no mode. */
function problemOf({ headers }: IncomingMessage, place: Place, token: string) {
  if (!timingSafeEqual(sha256(headers.authorization ?? ''), sha256(`Bearer ${token}`)))
    return no(401, 'The token in DATA_DIR is not the one of the portal that runs there.');
  const { release: theirs = '', database = '' } = headers;
  if (theirs !== release)
    return no(
      409,
      `The portal is of release ${release}, this command of ${String(theirs)}: use the command of that release.`,
    );
  const name = databaseName(place);
  if (database !== '' && database !== name)
    return no(
      409,
      `The portal in DATA_DIR uses ${name || 'the embedded database'}, DATABASE_URL another one.`,
    );
  return undefined;
}

/** Returns the reason if it cannot. Some shared folders take no sockets. */
const listenAt = async (server: Server, address: string | undefined): Promise<string | undefined> =>
  address === undefined
    ? 'its path is too long'
    : once(server.listen(address), 'listening').then(
        () => undefined,
        ({ message }: Error) => message,
      );

/**
 * Serves operators of this machine at a socket that only the folder's owner can open. In a shared folder the latest start
 * has it. Returns what ends it; afterwards a command opens the database itself.
 */
export async function openLocalSocket(
  place: Place,
  log: Log,
  answer: (asked: Asked) => Promise<object>,
): Promise<(graceMs: number) => Promise<void>> {
  const own = `operator-${process.pid}.sock`;
  const token = randomToken();
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const { status, body } = await (async () =>
      problemOf(request, place, token) ?? {
        status: 200,
        body: await answer((await json(request)) as Asked),
      })().catch((error: unknown) => {
      log.error({ err: error }, 'an act of the operator failed');
      return no(500, 'The portal failed at it. Its log has the reason.');
    });
    response.writeHead(status, { connection: 'close' }).end(JSON.stringify(body));
  };
  const server = createServer((request, response) => void serve(request, response));
  const [file, publicFile] = [path.join(place.dataDir, own), socketFile(place)];
  rmSync(file, { force: true });
  const reason = await listenAt(server, addressOf(place, own));
  if (reason !== undefined) {
    log.warn({ reason }, 'DATA_DIR takes no socket: operator commands need the portal stopped');
    return async () => undefined;
  }
  server.unref();
  const write = `${tokenFile(place)}.${process.pid}`;
  writeFileSync(write, token, { mode: 0o600 });
  renameSync(write, tokenFile(place));
  // Named once it is closed to others. Replaces the socket of a process that was killed.
  const isFile = process.platform !== 'win32';
  if (isFile) {
    chmodSync(file, 0o600);
    renameSync(file, publicFile);
  }
  const idOf = () => isFile && statSync(publicFile, { throwIfNoEntry: false })?.ino;
  const id = idOf();
  return async (graceMs) => {
    if (isFile && idOf() === id) rmSync(publicFile);
    setTimeout(() => server.closeAllConnections(), graceMs).unref();
    await new Promise((resolve) => server.close(resolve));
  };
}
