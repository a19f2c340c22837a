import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type * as Nodemailer from 'nodemailer';
import type { Config } from '#server/config.ts';
import { Away, GiveUp, Refused } from '#server/jobs/jobs.ts';

type Address = { name: string; address: string };
/** One mail ready to send. Addresses are objects, because a plain string would be parsed as a list. */
export type Letter = {
  from: Address;
  to: Address;
  subject: string;
  text: string;
  html: string;
  language: string;
  messageId: string;
  /** The job's number. It orders files and is in no header. */
  number: number;
  date: Date;
};

/** Throws GiveUp if the server will never take it, Refused if its policy forbids it, Away if it is unusable. After other errors a retry may work. */
export type Transport = (letter: Letter) => Promise<void>;

/** SMTP if SMTP_URL is set, else files in the data folder. */
export const openTransport = (config: Config, reusesConnections = true): Transport =>
  config.smtpUrl
    ? overSmtp(config.smtpUrl.href, timeouts, reusesConnections)
    : intoFolder(outboxFolder(config));

export const outboxFolder = (config: Pick<Config, 'dataDir'>) => path.join(config.dataDir, 'outbox');

/** Loads the mailer at the first mail, to save memory before. */
function once<M>(open: (mail: typeof Nodemailer) => M): () => Promise<M> {
  let transport: Promise<M> | undefined;
  return () => (transport ??= import('nodemailer').then(open));
}

const headersOf = ({ language }: Pick<Letter, 'language'>) => ({
  // RFC 3834: out-of-office replies and the like do not answer such a mail.
  'Auto-Submitted': 'auto-generated',
  'Content-Language': language,
});

const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 };

/** Delivers through an SMTP server over reused connections; a 5xx answer to the mail itself is final. */
export function overSmtp(url: string, limits = timeouts, pool = true): Transport {
  const mailer = once((mail) =>
    mail.createTransport({ url, pool, ...limits } as Nodemailer.TransportOptions),
  );
  return async (letter) => {
    try {
      await (await mailer()).sendMail({ ...letter, headers: headersOf(letter) });
    } catch (error) {
      const failure = error as SmtpError;
      if (isFinal(failure)) throw new (isByPolicy(failure) ? Refused : GiveUp)(failure.message);
      throw isAway(failure) ? new Away(failure.message) : error;
    }
  };
}

/** Connects and signs in. Throws the reason if that fails. */
export async function greetMailServer(url: string): Promise<void> {
  const mail = await import('nodemailer');
  await mail.createTransport({ url, ...timeouts } as Nodemailer.TransportOptions).verify();
}

type SmtpError = Error & { code?: string; responseCode?: number; response?: string };

/** Whether the server refused this mail for good. A refused greeting or login may succeed later. */
const isFinal = ({ code, responseCode = 0 }: SmtpError) =>
  responseCode >= 500 && (code === 'EENVELOPE' || code === 'EMESSAGE');

/** RFC 3463, section 3.8: X.7 is policy, such as a limit of the relay, and no word about the mailbox. */
const isByPolicy = ({ response = '' }: SmtpError) => /^5\d\d[ -]5\.7\.\d/.test(response);

/** Whether the server is unusable: unreachable, silent, off protocol, closing, or it refuses our login. */
const isAway = ({ code = '', responseCode }: SmtpError) =>
  /^E(CONNECTION|TIMEDOUT|SOCKET|DNS|TLS|PROTOCOL|AUTH)$/.test(code) || responseCode === 421;

/** One RFC 5322 file per mail; names sort by time. Renamed when complete, so no reader sees half a mail. */
export function intoFolder(folder: string): Transport {
  const composer = once((mail) =>
    mail.createTransport({ streamTransport: true, buffer: true, newline: 'windows' }),
  );
  return async ({ number, ...letter }) => {
    const { message } = await (await composer()).sendMail({ ...letter, headers: headersOf(letter) });
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const name = `${letter.date.toISOString().replaceAll(':', '-')}-${String(number).padStart(8, '0')}.eml`;
    const file = path.join(folder, name);
    writeFileSync(`${file}.part`, message as Buffer, { mode: 0o600 });
    renameSync(`${file}.part`, file);
  };
}
