import type { Tx } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { enqueue } from '#server/jobs/enqueue.ts';
import type { JobHandlers } from '#server/jobs/jobs.ts';
import { codeFrom, type DigestSeed, digestFrom } from '#server/keys.ts';
import type { Transport } from '#server/mail/transports.ts';

/** A mail's words; `{{digest}}` or `{{code}}` stands for the one-time secret, put in when the mail leaves. */
export type MailContent = { readonly subject: string; readonly text: string; readonly html: string };

export type Mail = {
  readonly to: string;
  readonly content: MailContent;
  readonly digest?: DigestSeed;
  /** After this the mail is no longer worth sending: its link would be dead. */
  readonly expiresAt?: Date;
};

/** Puts a mail in the outbox in the caller's transaction; mails to one address leave in the order they were written. */
export const queueMail = (tx: Tx, deps: Pick<Deps, 'clock'>, { expiresAt, ...mail }: Mail) =>
  enqueue(tx, deps, {
    kind: 'mail',
    payload: mail,
    lane: `mail:${mail.to}`,
    ...(expiresAt && { expiresAt }),
  });

/** The job that sends a mail. A stable Message-ID lets receivers drop the second copy of a mail sent twice. */
export const mailJobs = (transport: Transport): JobHandlers => ({
  mail: async (deps, { to, content, digest }: Mail, jobId) => {
    const fill = (text: string) =>
      digest
        ? text
            .replaceAll('{{digest}}', () => digestFrom(deps.keys, digest))
            .replaceAll('{{code}}', () => codeFrom(deps.keys, digest))
        : text;
    const letter = {
      from: { name: 'Portico', address: deps.config.mailFrom },
      to: { name: '', address: to },
      subject: content.subject,
      text: fill(content.text),
      html: fill(content.html),
      messageId: `<${deps.keys[0].id}.${jobId}@${deps.config.publicUrl.hostname}>`,
      date: deps.clock.now(),
    };
    await deps.metrics.countMail(transport(letter));
  },
});
