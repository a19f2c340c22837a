import { product } from '#contract/product.ts';
import type { UserId } from '#contract/wire.ts';
import { brandNow } from '#server/brand/brand.ts';
import type { Tx } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { enqueue } from '#server/jobs/enqueue.ts';
import type { JobHandlers } from '#server/jobs/jobs.ts';
import { codeFrom, type DigestSeed, digestFrom, mac } from '#server/keys.ts';
import { inEnglish, inLanguage, offeredLanguage } from '#server/language.ts';
import { findLanguage } from './data.ts';
import type { Transport } from './transports.ts';

/** The text of a mail. Only the frame writes `{{digest}}` and `{{code}}`; sending replaces these with secrets. */
export type MailContent = {
  /** The tag of its language. */
  readonly language: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** Which mail it is, without names. Null for news of several changes. */
  readonly letter: string | null;
};

/** Writes a mail in the language that is spoken when it is called. */
export type WriteMail = () => MailContent;

export type Mail = {
  /** The recipient; null: the operator. Another person may have the address by the time the mail is sent. */
  readonly userId: UserId | null;
  readonly to: string;
  /** The recipient's language, if it is known already; null is the portal's. */
  readonly language?: string | null | undefined;
  readonly content: WriteMail;
  readonly digest?: DigestSeed;
  /** The mail is not sent after this, because its link has expired. */
  readonly expiresAt?: Date;
};

/** In the caller's transaction and the recipient's language. Mails to one address are sent in order. */
export async function queueMail(tx: Tx, deps: Pick<Deps, 'clock' | 'config'>, mail: Mail): Promise<void> {
  const { expiresAt, userId, to, digest } = mail;
  const language =
    mail.language === undefined
      ? await findLanguage(tx, deps, userId)
      : offeredLanguage(deps.config.languages, mail.language);
  const { letter: _, ...content } = inLanguage(language, mail.content);
  const { letter } = inEnglish(mail.content);
  await enqueue(tx, deps, {
    kind: 'mail',
    letter,
    ...(userId !== null && { userId }),
    payload: { to, content, digest },
    lane: `mail:${to}`,
    ...(expiresAt && { expiresAt }),
  });
}

/** The same at every try, so that receivers drop a duplicate. It hides the job's number, which counts site-wide. */
export const messageIdOf = ({ keys, config }: Pick<Deps, 'keys' | 'config'>, jobId: number) =>
  `<${mac(keys[0].derive('message-id'), String(jobId)).toString('hex', 0, 16)}@${config.publicUrl.hostname}>`;

type QueuedMail = Pick<Mail, 'to' | 'digest'> & { readonly content: Omit<MailContent, 'letter'> };
/** They wait for a foreign server. */
const MAILS_AT_ONCE = 8;

export const mailJobs = (transport: Transport): JobHandlers => ({
  mail: {
    slots: MAILS_AT_ONCE,
    run: async (deps, { to, content, digest }: QueuedMail, jobId) => {
      const fill = (text: string) =>
        digest
          ? text
              .replaceAll('{{digest}}', () => digestFrom(deps.keys, digest))
              .replaceAll('{{code}}', () => codeFrom(deps.keys, digest))
          : text;
      const letter = {
        from: { name: brandNow()?.mail.sender ?? product.name, address: deps.config.mailFrom },
        to: { name: '', address: to },
        subject: fill(content.subject),
        text: fill(content.text),
        html: fill(content.html),
        language: content.language,
        number: jobId,
        messageId: messageIdOf(deps, jobId),
        date: deps.clock.now(),
      };
      await deps.metrics.countMail(transport(letter));
    },
  },
});
