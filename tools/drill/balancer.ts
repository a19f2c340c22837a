import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { startProgram, until } from './processes.ts';

interface Behind {
  /** Where browsers come in, and which processes answer them. */
  readonly web: { readonly port: number; readonly portals: readonly number[] };
  /** Where the processes ask for the database, and where it may be. */
  readonly database: { readonly port: number; readonly nodes: readonly number[] };
}

const hex = (text: string) => Buffer.from(text).toString('hex');
// The first message of a session that names user and database; a server that takes writes then says so by itself.
const startup = (() => {
  const words = Buffer.from(
    '\u0000\u0003\u0000\u0000user\u0000postgres\u0000database\u0000postgres\u0000\u0000',
  );
  const length = Buffer.alloc(4);
  length.writeUInt32BE(words.length + 4);
  return Buffer.concat([length, words]).toString('hex');
})();

/** The balancer's own 503, in the words of the portal. */
const unavailable =
  'content-type application/json hdr Retry-After 2 string ' +
  `'{"success":false,"error":{"code":"unavailable","details":"Oops! Something went wrong"}}'`;

const configuration = ({ web, database }: Behind, socket: string) => `
global
  maxconn 8000
  stats socket ${socket} mode 600 level user
defaults
  timeout connect 1s
  timeout check 1s
frontend web
  mode http
  bind 127.0.0.1:${web.port}
  timeout client 60s
  timeout http-keep-alive 60s
  option forwardfor
  # When nobody is ready, whoever lives shows the pages and says itself what is wrong.
  use_backend whoever-lives if { nbsrv(portals) eq 0 }
  default_backend portals
backend portals
  mode http
  timeout server 35s
  timeout queue 1s
  balance leastconn
  retries 3
  retry-on conn-failure
  option redispatch 1
  option httpchk
  http-check send meth GET uri /readyz ver HTTP/1.1 hdr Host 127.0.0.1
  http-error status 503 ${unavailable}
${web.portals.map((port, nth) => `  server portal${nth} 127.0.0.1:${port} check inter 500ms fastinter 200ms fall 2 rise 1 slowstart 5s`).join('\n')}
backend whoever-lives
  mode http
  timeout server 35s
  balance roundrobin
  retries 1
  retry-on conn-failure
  option redispatch 1
  http-error status 503 ${unavailable}
${web.portals.map((port, nth) => `  server portal${nth} 127.0.0.1:${port}`).join('\n')}
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

/** HAProxy in front of the processes and, as plain connections, in front of the database that takes writes. */
export async function startBalancer(folder: string, behind: Behind) {
  const file = path.join(folder, 'haproxy.cfg');
  const socket = path.join(folder, 'socket');
  writeFileSync(file, configuration(behind, socket));
  const log = path.join(folder, 'log');
  const program = startProgram('haproxy', ['haproxy', '-db', '-f', file], { cwd: folder, log });
  await until('HAProxy listens', 10_000, () =>
    fetch(`http://127.0.0.1:${behind.web.port}/`).then(
      async (answer) => {
        await answer.body?.cancel();
        return true;
      },
      () => false,
    ),
  );
  return {
    end: () => program.end(),
    /** Waits until it sends requests to the nth process again. */
    sees: (nth: number) =>
      until(`HAProxy sees process ${nth}`, 10_000, async () =>
        new RegExp(`^portals,portal${nth},.*,UP,`, 'm').test(await ask(socket, 'show stat')),
      ),
  };
}

/** One command to its socket, and what it answers. */
async function ask(socket: string, command: string): Promise<string> {
  const connection = connect(socket);
  connection.end(`${command}\n`);
  return text(connection);
}
