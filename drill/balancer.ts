import { readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { startProgram, until } from './processes.ts';

interface Behind {
  readonly web: { readonly port: number; readonly portals: readonly [number, number] };
  readonly database: { readonly port: number; readonly nodes: readonly number[] };
}

const hex = (text: string) => Buffer.from(text).toString('hex');
// A session's startup message. A node that accepts writes answers with `in_hot_standby` off.
const startup = (() => {
  const words = Buffer.from(
    '\u0000\u0003\u0000\u0000user\u0000postgres\u0000database\u0000postgres\u0000\u0000',
  );
  const length = Buffer.alloc(4);
  length.writeUInt32BE(words.length + 4);
  return Buffer.concat([length, words]).toString('hex');
})();

const shippedSettings = path.join(import.meta.dirname, '../deploy/haproxy.cfg');

/** The drill's changes: no TLS, no log line per request, and its clients name their network in a header. */
const otherwise: readonly [RegExp, string][] = [
  [/^ {2}bind .* ssl .*\n/m, ''],
  [/^ {2}http-request redirect scheme https .*\n/m, ''],
  [/^ {2}log stdout .*\n/m, ''],
  [
    /^( {2}http-request set-header x-forwarded-for .*)$/m,
    '$1 unless { src 127.0.0.1 } { req.hdr(x-forwarded-for) -m found }',
  ],
];

const forLoopback = (configuration: string) =>
  otherwise.reduce((text, [line, instead]) => {
    if (!line.test(text)) throw new Error(`deploy/haproxy.cfg has no ${line}`);
    return text.replace(line, instead);
  }, configuration);

const beside = ({ database }: Pick<Behind, 'database'>, socket: string) => `
global
  stats socket ${socket} mode 600 level user
defaults
  timeout connect 1s
  timeout check 1s
listen database
  mode tcp
  retries 0
  bind 127.0.0.1:${database.port}
  timeout client 1h
  timeout server 1h
  option tcp-check
  tcp-check connect
  tcp-check send-binary ${startup}
  tcp-check expect binary ${hex('in_hot_standby\u0000off\u0000')}
${database.nodes.map((port, nth) => `  server node${nth} 127.0.0.1:${port} check inter 500ms fastinter 200ms fall 2 rise 1 on-marked-down shutdown-sessions`).join('\n')}
`;

export type Balancer = Awaited<ReturnType<typeof startBalancer>>;

/** HAProxy with the shipped configuration; a TCP balancer to the primary database. `more` sets its variables. */
export async function startBalancer(folder: string, behind: Behind, more: Record<string, string> = {}) {
  const [web, rest] = [path.join(folder, 'haproxy.cfg'), path.join(folder, 'beside.cfg')];
  const socket = path.join(folder, 'socket');
  writeFileSync(web, forLoopback(readFileSync(shippedSettings, 'utf8')));
  writeFileSync(rest, beside(behind, socket));
  const [a, b] = behind.web.portals;
  const program = startProgram('haproxy', ['haproxy', '-db', '-f', web, '-f', rest], {
    cwd: folder,
    log: path.join(folder, 'log'),
    env: {
      PATH: process.env['PATH'],
      HTTP_BIND: `127.0.0.1:${behind.web.port}`,
      PORTICO_A: `127.0.0.1:${a}`,
      PORTICO_B: `127.0.0.1:${b}`,
      ...more,
    },
  });
  await until('HAProxy listens', 10_000, () =>
    fetch(`http://127.0.0.1:${behind.web.port}/`, { headers: { connection: 'close' } }).then(
      async (answer) => {
        await answer.body?.cancel();
        return true;
      },
      () => false,
    ),
  );
  // Until two checks have failed, HAProxy takes every node for a primary.
  await until('HAProxy has found the primary', 10_000, async () => {
    const writing = (await ask(socket, 'show stat')).match(/^database,node\d,.*,UP/gm) ?? [];
    return writing.length <= 1;
  });
  return {
    end: () => program.end(),
    sees: (nth: number) =>
      until(`HAProxy sees process ${nth}`, 10_000, async () =>
        new RegExp(`^portico,${'ab'.charAt(nth)},.*,UP,`, 'm').test(await ask(socket, 'show stat')),
      ),
  };
}

async function ask(socket: string, command: string): Promise<string> {
  const connection = connect(socket);
  connection.end(`${command}\n`);
  return text(connection);
}
