import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { setTimeout as pause } from 'node:timers/promises';
import { jobGroups } from '#server/jobs/groups.ts';
import { runDueJobs } from '#server/jobs/jobs.ts';
import { seal } from '#server/keys.ts';
import { CERTIFICATE, CERTIFICATE_KEY } from './certificate.ts';
import type { TestApp } from './start-app.ts';

export const WEBHOOK_SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
let counter = 0;

export const deliverDue = ({ deps, jobs }: Pick<TestApp, 'deps' | 'jobs'>) =>
  runDueJobs(deps, jobs, (kind) => kind === 'webhook');

export const claimDeliveries = async ({ deps, jobs }: Pick<TestApp, 'deps' | 'jobs'>) =>
  (await jobGroups(deps, jobs)
    .find(({ kind }) => kind === 'webhook')
    ?.claim(50)) ?? [];

export async function addWebhook(app: TestApp, more: object = {}) {
  counter += 1;
  const url = `https://hooks.example/${process.pid}/${counter}`;
  return app.deps.sql
    .insertInto('webhooks')
    .values({
      url,
      sealed_secret: seal(app.deps.keys, 'webhook', WEBHOOK_SECRET),
      created_at: app.clock.now(),
      ...more,
    })
    .returning(['id', 'url'])
    .executeTakeFirstOrThrow();
}

export async function addDelivery(app: TestApp, more: object = {}) {
  const { id } = await addWebhook(app, more);
  const now = app.clock.now();
  const { message_id: messageId } = await app.deps.sql
    .insertInto('webhook_deliveries')
    .values({
      webhook_id: id,
      event: 'role.created',
      subject: 'role 1',
      lane: 1,
      payload: { type: 'role.created', timestamp: now.toISOString(), data: {} },
      status: 'delivered',
      created_at: now,
      next_try_at: now,
    })
    .returning('message_id')
    .executeTakeFirstOrThrow();
  return { webhook_id: id, id: `msg_${messageId}` };
}

export type Heard = {
  readonly headers: Record<string, string>;
  readonly body: string;
  readonly from: number;
  /** When the answer went out. */
  until: number;
};
type Bytes = { readonly raw: string; readonly tail?: string };
type Answer =
  | {
      readonly status?: number;
      readonly headers?: Record<string, string>;
      readonly text?: string;
      readonly afterMs?: number;
    }
  | Bytes
  | 'hanging';

/** Writes the bytes of an answer, then `tail` repeatedly. */
function writeBytes(socket: Socket, { raw, tail }: Bytes) {
  socket.write(raw);
  if (tail === undefined) {
    socket.end();
    return;
  }
  const timer = setInterval(() => socket.write(tail), 5);
  socket.on('error', () => undefined).on('close', () => clearInterval(timer));
}

/** A receiver over HTTPS, whose certificate this process trusts from now on. A `hanging` one does not answer. */
export async function startReceiver(port = 0) {
  setDefaultCACertificates([...getCACertificates('default'), CERTIFICATE]);
  const heard: Heard[] = [];
  let answer: Answer = {};
  const server = createServer({ cert: CERTIFICATE, key: CERTIFICATE_KEY }, (request, response) => {
    void (async () => {
      let body = '';
      for await (const chunk of request as AsyncIterable<Buffer>) body += chunk.toString();
      const headers = request.headers as Record<string, string>;
      const one = { headers, body, from: performance.now(), until: Infinity };
      heard.push(one);
      if (answer === 'hanging') return;
      if ('raw' in answer) {
        writeBytes(request.socket, answer);
        return;
      }
      const { status = 204, afterMs, text } = answer;
      if (afterMs !== undefined) await pause(afterMs);
      one.until = performance.now();
      response.writeHead(status, answer.headers).end(text);
    })();
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address() as AddressInfo;
  return {
    url: `https://localhost:${address.port}/hook`,
    heard,
    /** The events in the order of their arrival. */
    events: () => heard.map(({ body }) => JSON.parse(body) as HeardEvent),
    answerWith(next: Answer) {
      answer = next;
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
export type Receiver = Awaited<ReturnType<typeof startReceiver>>;
type HeardEvent = {
  readonly type: string;
  readonly timestamp: string;
  readonly data: Record<string, unknown>;
};
