import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';

/** A request of the load. With a body it is a POST of JSON unless `method` says otherwise, with a form a POST of it. */
export type LoadRequest = {
  readonly path: string;
  readonly method?: 'PUT';
  readonly cookie?: string;
  readonly authorization?: string;
  readonly body?: object;
  readonly form?: Readonly<Record<string, string>>;
  readonly isNavigation?: true;
  readonly take?: (answer: string) => void;
};

/** CPU milliseconds of a process in all its threads, from Linux's /proc. */
export function cpuMsOf(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`);
  const nanoseconds = threads.map((thread) => {
    const [onCpu] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ');
    return Number(onCpu);
  });
  return nanoseconds.reduce((sum, some) => sum + some, 0) / 1e6;
}

export function memoryMibOf(pid: number): number {
  const [, kib] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kib) / 1024;
}

/** Sends `count` requests over `atOnce` keep-alive connections; each waits for its answer, and all have to succeed. */
export async function send(port: number, count: number, atOnce: number, ask: (nth: number) => LoadRequest) {
  let next = 0;
  const visit = async () => {
    const line = await openLine(port);
    while (next < count) {
      const request = ask(next);
      next += 1;
      const answer = await line.exchange(asText(port, request));
      if (!answer.startsWith(request.isNavigation ? 'HTTP/1.1 30' : 'HTTP/1.1 2'))
        throw new Error(`${request.path}: ${answer}`);
      request.take?.(answer);
    }
    line.close();
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, count) }, visit));
}

function asText(
  port: number,
  { path, method, cookie, authorization, body, form, isNavigation }: LoadRequest,
): string {
  const payload = form ? new URLSearchParams(form).toString() : body ? JSON.stringify(body) : undefined;
  const type = form ? 'application/x-www-form-urlencoded' : 'application/json';
  return [
    `${method ?? (payload === undefined ? 'GET' : 'POST')} ${path} HTTP/1.1`,
    `host: 127.0.0.1:${port}`,
    authorization === undefined ? `origin: http://127.0.0.1:${port}` : `authorization: ${authorization}`,
    `accept: ${isNavigation ? 'text/html' : 'application/json'}`,
    'user-agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
    ...(cookie === undefined ? [] : [`cookie: ${cookie}`]),
    ...(payload === undefined
      ? []
      : [`content-type: ${type}`, `content-length: ${Buffer.byteLength(payload)}`]),
    '',
    payload ?? '',
  ].join('\r\n');
}

/** A raw connection, because a client library would cost more than some of the servers. */
async function openLine(port: number) {
  const socket = connect(port, '127.0.0.1').setNoDelay().setEncoding('latin1');
  await once(socket, 'connect');
  let onAnswer = (_text: string) => {};
  let onFailure = (_error: Error) => {};
  let buffer = '';
  socket
    .on('error', (error) => onFailure(error))
    .on('close', () => onFailure(new Error('the server hung up')));
  socket.on('data', (text: string) => {
    buffer += text;
    if (!isWhole(buffer)) return;
    const answer = buffer;
    buffer = '';
    onAnswer(answer);
  });
  return {
    exchange: (text: string) =>
      new Promise<string>((resolve, reject) => {
        onAnswer = resolve;
        onFailure = reject;
        socket.write(text);
      }),
    close: () => socket.destroy(),
  };
}

function isWhole(text: string): boolean {
  const end = text.indexOf('\r\n\r\n');
  if (end === -1) return false;
  const head = text.slice(0, end);
  const [, length] = /^content-length: (\d+)/im.exec(head) ?? [];
  if (length !== undefined) return text.length >= end + 4 + Number(length);
  return !/^transfer-encoding: chunked/im.test(head) || text.endsWith('\r\n0\r\n\r\n');
}
