import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type * as Nodemailer from 'nodemailer';
import type { Config } from '#server/config.ts';
import { Away, GiveUp } from '#server/jobs/jobs.ts';

type Address = { name: string; address: string };
/** One mail ready to leave. Addresses are objects: a plain string would be parsed as a list. */
export type Letter = {
  from: Address;
  to: Address;
  subject: string;
  text: string;
  html: string;
  messageId: string;
  date: Date;
};

/** Delivers one mail; throws GiveUp when the server will never take it, Away when there is no talking to it, anything else when this mail alone may be taken later. */
export type Transport = (letter: Letter) => Promise<void>;

/** SMTP where SMTP_URL says, else files in the data folder. */
export const openTransport = (config: Config): Transport =>
  config.smtpUrl ? overSmtp(config.smtpUrl.href) : intoFolder(outboxFolder(config));

export const outboxFolder = (config: Pick<Config, 'dataDir'>) => path.join(config.dataDir, 'outbox');

/** The mailer comes with the first mail: a process that sends none does not carry it. */
function once<M>(open: (mail: typeof Nodemailer) => M): () => Promise<M> {
  let opened: Promise<M> | undefined;
  return () => (opened ??= import('nodemailer').then(open));
}

const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 };

/** Delivers through an SMTP server, connections reused; a 5xx answer to the mail itself is final. */
export function overSmtp(url: string, limits = timeouts): Transport {
  const mailer = once((mail) =>
    mail.createTransport({ url, pool: true, ...limits } as Nodemailer.TransportOptions),
  );
  return async (letter) => {
    try {
      await (await mailer()).sendMail(letter);
    } catch (error) {
      const refused = error as SmtpError;
      if (isFinal(refused)) throw new GiveUp(refused.message);
      throw isAway(refused) ? new Away(refused.message) : error;
    }
  };
}

type SmtpError = Error & { code?: string; responseCode?: number };

/** Whether this mail was refused; a refused greeting or login says nothing about the mail and may be mended. */
const isFinal = ({ code, responseCode = 0 }: SmtpError) =>
  responseCode >= 500 && (code === 'EENVELOPE' || code === 'EMESSAGE');

/** Whether there is no talking to the server: it says nothing, nothing sensible, or goodbye, or does not let us in. */
const isAway = ({ code = '', responseCode }: SmtpError) =>
  /^E(CONNECTION|TIMEDOUT|SOCKET|DNS|TLS|PROTOCOL|AUTH)$/.test(code) || responseCode === 421;

/** Writes one RFC 5322 file a mail; names sort by time. Written beside and moved, so a reader never sees half a mail. */
export function intoFolder(folder: string): Transport {
  const composer = once((mail) =>
    mail.createTransport({ streamTransport: true, buffer: true, newline: 'windows' }),
  );
  return async (letter) => {
    const { message } = await (await composer()).sendMail(letter);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const job = /\.(\d+)@/.exec(letter.messageId)?.[1] ?? '0';
    const name = `${letter.date.toISOString().replaceAll(':', '-')}-${job.padStart(8, '0')}.eml`;
    const file = path.join(folder, name);
    writeFileSync(`${file}.part`, message as Buffer, { mode: 0o600 });
    renameSync(`${file}.part`, file);
  };
}
