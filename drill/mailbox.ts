import { startSmtp } from '#server/testing/smtp.ts';

const LOOK_EVERY_MS = 500;
const KEPT_SECRETS_MAX = 10_000;

/** A mail server that accepts everything and keeps only what the drill needs, so that it can run long. */
export async function startMailbox() {
  const smtp = await startSmtp();
  /** For each address the ids of its mails, and how to count a repeat. */
  const idsOf = new Map<string, Map<string, keyof typeof repeats>>();
  const digests: string[] = [];
  const repeats = { excused: 0, unexcused: 0 };
  let kind: keyof typeof repeats = 'unexcused';
  const look = () => {
    for (const delivery of smtp.deliveries.splice(0)) {
      const { recipients, mail } = delivery;
      const id = mail.messageId ?? '';
      for (const address of recipients) {
        const ids = idsOf.get(address) ?? new Map<string, typeof kind>();
        const firstKind = ids.get(id);
        if (firstKind) repeats[firstKind] += 1;
        // A repeat comes after the lease, perhaps long after the fault, so the first delivery decides its kind.
        else ids.set(id, kind);
        idsOf.set(address, ids);
      }
      const digest = /digest=([\w-]+)/.exec(mail.text ?? '')?.[1];
      if (digest && digests.length < KEPT_SECRETS_MAX) digests.push(digest);
    }
  };
  const timer = setInterval(look, LOOK_EVERY_MS);
  return {
    url: smtp.url,
    /** The message ids of the mails that reached an address, so that a repeated mail counts once. */
    mailIdsOf: (email: string): ReadonlySet<string> => {
      look();
      return new Set(idsOf.get(email)?.keys());
    },
    /** During a fault a mail may be repeated: between sending and recording it nobody can tell whether it left. */
    excuseRepeats: (are: boolean) => {
      look();
      kind = are ? 'excused' : 'unexcused';
    },
    /** The mails that the same job sent again. */
    repeats: (): Readonly<typeof repeats> => {
      look();
      return repeats;
    },
    /** Mailed digests, which must not appear anywhere else. */
    digests: (): readonly string[] => digests,
    stop: async () => {
      clearInterval(timer);
      await smtp.close();
    },
  };
}
