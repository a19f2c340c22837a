import { type Smtp, startSmtp } from '#server/testing/smtp.ts';

const LOOK_EVERY_MS = 500;
const KEPT_SECRETS_MAX = 10_000;

/** Which job sent a mail, as its message id says. */
export const jobOf = ({ mail }: Smtp['deliveries'][number]): number =>
  Number(/\.(\d+)@/.exec(mail.messageId ?? '')?.[1]);

/** A mail server that takes everything and remembers of it what the drill asks about, however long that runs. */
export async function startMailbox() {
  const smtp = await startSmtp();
  /** Of each address the jobs that sent it something, and what a repeat of theirs is. */
  const jobsOf = new Map<string, Map<number, keyof typeof repeats>>();
  const digests: string[] = [];
  let count = 0;
  const repeats = { excused: 0, unexcused: 0 };
  let kind: keyof typeof repeats = 'unexcused';
  const look = () => {
    for (const delivery of smtp.deliveries.splice(0)) {
      const { recipients, mail } = delivery;
      count += 1;
      const job = jobOf(delivery);
      for (const address of recipients) {
        const jobs = jobsOf.get(address) ?? new Map<number, typeof kind>();
        const known = jobs.get(job);
        if (known) repeats[known] += 1;
        // It comes again when its lease has run out, which may be long after what broke its process.
        else jobs.set(job, kind);
        jobsOf.set(address, jobs);
      }
      const digest = /digest=([\w-]+)/.exec(mail.text ?? '')?.[1];
      if (digest && digests.length < KEPT_SECRETS_MAX) digests.push(digest);
    }
  };
  const timer = setInterval(look, LOOK_EVERY_MS);
  return {
    url: smtp.url,
    /** Which mails reached an address, by the jobs that sent them: a mail that came twice is one. */
    delivered: (email: string): ReadonlySet<number> => {
      look();
      return new Set(jobsOf.get(email)?.keys());
    },
    /** How many mails came. */
    count: () => {
      look();
      return count;
    },
    /**
     * Whatever breaks a process or its database says so: between a mail's leaving and the note of it, nobody can tell
     * whether it left, so one that leaves meanwhile may be sent again.
     */
    excuseRepeats: (are: boolean) => {
      look();
      kind = are ? 'excused' : 'unexcused';
    },
    /** How many mails came again, by the same job. */
    repeats: (): Readonly<typeof repeats> => {
      look();
      return repeats;
    },
    /** What was mailed and may stand nowhere else. */
    digests: (): readonly string[] => digests,
    stop: async () => {
      clearInterval(timer);
      await smtp.close();
    },
  };
}
