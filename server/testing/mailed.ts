import { setTimeout as pause } from 'node:timers/promises';

type Mail = { readonly subject?: string | undefined; readonly text?: string | undefined };
type Mailbox = { mails(to: string): Promise<readonly Mail[]> };

const PATIENCE_MS = 30_000;
const POLL_MS = 20;

/**
 * Waits until `find` returns a text of the mails to an address: a page may show the next step before its call is
 * answered, and mails leave later.
 */
export async function mailed(
  mailbox: Mailbox,
  to: string,
  find: (mails: readonly Mail[]) => string | undefined,
): Promise<string> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const mails = await mailbox.mails(to);
    const found = find(mails);
    if (found !== undefined) return found;
    const subjects = mails.map(({ subject }) => subject).join(', ');
    if (performance.now() > deadline) throw new Error(`not mailed to ${to}, only: ${subjects}`);
    await pause(POLL_MS);
  }
}

/** The match in the newest mail that has one, once `count` mails have. */
const matching =
  (pattern: RegExp) =>
  (mailbox: Mailbox, to: string, count = 1) =>
    mailed(mailbox, to, (mails) => {
      const found = mails.flatMap(({ text = '' }) => pattern.exec(text)?.[0] ?? []);
      return found.length >= count ? found.at(-1) : undefined;
    });

export const mailedCode = matching(/(?<=is )\d+(?=\.)/);
export const mailedDigest = matching(/(?<=digest=)[\w-]+/);

export const mailedLink = (mailbox: Mailbox, to: string, count = 1) =>
  mailed(mailbox, to, (mails) =>
    mails.length >= count ? /https?:\/\/\S+/.exec(mails.at(-1)?.text ?? '')?.[0] : undefined,
  );

export const mailedText = (mailbox: Mailbox, to: string, subject: string, count = 1) =>
  mailed(mailbox, to, (mails) => {
    const found = mails.filter((mail) => mail.subject === subject);
    return found.length >= count ? (found.at(-1)?.text ?? '') : undefined;
  });
