import { startSmtp } from '#server/testing/smtp.ts';

const LOOK_EVERY_MS = 500;
const KEPT_SECRETS_MAX = 10_000;

/** A mail server that takes everything and remembers of it what the drill asks about, however long that runs. */
export async function startMailbox() {
  const smtp = await startSmtp();
  const jobsOf = new Map<string, Set<number>>();
  const digests: string[] = [];
  let count = 0;
  const repeats = { excused: 0, unexcused: 0 };
  let kind: keyof typeof repeats = 'unexcused';
  const look = () => {
    for (const { recipients, mail } of smtp.deliveries.splice(0)) {
      count += 1;
      const job = Number(/\.(\d+)@/.exec(mail.messageId ?? '')?.[1]);
      for (const address of recipients) {
        const jobs = jobsOf.get(address) ?? new Set();
        if (jobs.has(job)) repeats[kind] += 1;
        jobsOf.set(address, jobs.add(job));
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
      return jobsOf.get(email) ?? new Set();
    },
    /** How many mails came. */
    count: () => {
      look();
      return count;
    },
    /**
     * Whatever breaks a process or its database says so: between a mail's leaving and the note of it, nobody can tell
     * whether it left, so it is sent again.
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
