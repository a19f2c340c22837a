import { openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { WIRE_NAME } from '#contract/limits.ts';
import { optionsOf, wordsOf } from '#contract/operator/act.ts';
import { actNamed, type ActName, acts } from '#contract/operator/acts.ts';
import type { Config } from './config.ts';
import { sha256 } from './keys.ts';

// How commands on this machine reach the portal, for both sides.

type Folder = Pick<Config, 'dataDir'>;
const NAME = 'operator.sock';
export const socketFile = ({ dataDir }: Folder) => path.join(dataDir, NAME);
export const tokenFile = ({ dataDir }: Folder) => path.join(dataDir, 'operator.token');

/** The longest address of a socket: 107 bytes on Linux, 103 on macOS. */
const ADDRESS_MAX_BYTES = 103;
/** The address of a socket file in the data folder; undefined if its path is too long here. */
export function addressOf({ dataDir }: Folder, name = NAME): string | undefined {
  if (process.platform === 'win32')
    return `\\\\.\\pipe\\${WIRE_NAME}-operator-${sha256(path.resolve(dataDir)).toString('hex', 0, 16)}`;
  const file = path.join(dataDir, name);
  if (Buffer.byteLength(file) <= ADDRESS_MAX_BYTES) return file;
  return process.platform === 'linux' ? `/proc/self/fd/${openSync(dataDir, 'r')}/${name}` : undefined;
}

/** The version, and a hash of everything that acts take and answer. */
export const release = releaseNow();
function releaseNow(): string {
  const file = path.join(import.meta.dirname, '../package.json');
  const { version } = JSON.parse(readFileSync(file, 'utf8')) as { readonly version: string };
  const shapes = (Object.keys(acts) as ActName[]).map(actNamed).map((act) => {
    const fields = Object.entries({ ...wordsOf(act), ...optionsOf(act) });
    return [
      act.does,
      act.level,
      fields.map(([name, { kind }]) => [name, kind]),
      Object.keys(act.output ?? {}),
    ];
  });
  return `${version}-${sha256(JSON.stringify(shapes)).toString('hex', 0, 4)}`;
}

/** Names a database without a secret; the embedded one is empty. */
export const databaseName = ({ databaseUrl }: Pick<Config, 'databaseUrl'>) =>
  databaseUrl ? `${databaseUrl.hostname}:${databaseUrl.port || '5432'}${databaseUrl.pathname}` : '';
