import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { callbackify } from 'node:util';
import PostalMime, { type Email } from 'postal-mime';
import {
  SMTPServer,
  type SMTPServerDataStream,
  type SMTPServerOptions,
  type SMTPServerSession,
} from 'smtp-server';

type Delivery = { readonly recipients: string[]; readonly mail: Email; readonly source: string };
type Answer = { code: number; text: string };
/** The refusal of each step, and the delay before a mail is accepted: a duration or a promise. */
type Refusing = {
  login?: Answer;
  recipient?: Answer;
  data?: Answer;
  waitMs?: number;
  until?: Promise<void>;
};

const refusal = ({ code, text }: Answer) => Object.assign(new Error(text), { responseCode: code });

/** A mail server on a free port, or on `port`; `refusing` may be changed while it runs. */
export async function startSmtp(port = 0) {
  const deliveries: Delivery[] = [];
  const refusing: Refusing = {};
  const take = async (stream: SMTPServerDataStream, session: SMTPServerSession) => {
    const source = await buffer(stream);
    await pause(refusing.waitMs ?? 0);
    await refusing.until;
    if (refusing.data) throw refusal(refusing.data);
    const recipients = session.envelope.rcptTo.map(({ address }) => address);
    deliveries.push({ recipients, mail: await PostalMime.parse(source), source: source.toString() });
  };
  const options: SMTPServerOptions = {
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    closeTimeout: 50,
    onAuth: (_login, _session, done) =>
      refusing.login ? done(refusal(refusing.login)) : done(null, { user: 1 }),
    onRcptTo: (_address, _session, done) => done(refusing.recipient && refusal(refusing.recipient)),
    onData: callbackify(take),
  };
  const server = new SMTPServer(options);
  server.on('error', () => undefined);
  const listener = server.listen(port, '127.0.0.1');
  await once(listener, 'listening');
  const at = (listener.address() as AddressInfo).port;
  return {
    deliveries,
    refusing,
    port: at,
    url: `smtp://127.0.0.1:${at}`,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}
export type Smtp = Awaited<ReturnType<typeof startSmtp>>;
