import { hash, verify } from '@node-rs/argon2';
import type { Refusal } from '#contract/errors.ts';
import { boundedQueue } from '#server/bounded-queue.ts';
import type { Config } from '#server/config.ts';
import { keyNamed, type Keys } from '#server/keys.ts';

/** The stored form of a password: an argon2id PHC string and the id of the key that peppered it. */
export type PasswordRecord = { readonly phc: string; readonly keyId: string };

export type Passwords = {
  /** Hashes a new password. `by` is the network or person whose turn it takes; refuses when the queue is full. */
  hash(password: string, by: string): Promise<PasswordRecord | Refusal<'unavailable'>>;
  /** Compares with a record. Without one it takes as long and never matches, so timing reveals no account. */
  matches(
    password: string,
    record: PasswordRecord | undefined,
    by: string,
  ): Promise<boolean | Refusal<'unavailable'>>;
  /** Whether the record has an older key or another cost, so that the next sign-in replaces it. */
  isOutdated(record: PasswordRecord): boolean;
  /** The number of waiting tasks. */
  waiting(): number;
};

/** argon2id, the library's default: 19 MiB, two passes, one lane (OWASP's recommendation). */
const recommended = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const QUEUE_MAX = 64;

/** Unicode forms of the same text are the same password (SP 800-63B-4 3.1.1.2). */
const normalized = (password: string) => password.normalize('NFKC');

/**
 * Hashes behind a bounded queue: one hash per core runs, 64 wait, and the rest is refused at once. So a flood
 * of sign-ins cannot take the thread pool or the memory (19 MiB per hash). A flood from one network takes no
 * slots from others.
 */
export function createPasswords(
  keys: Keys,
  config: Pick<Config, 'hashConcurrency'>,
  cost = recommended,
): Passwords {
  const [current] = keys;
  const costMark = `$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=${cost.parallelism}$`;
  const queue = boundedQueue(config.hashConcurrency, QUEUE_MAX);
  const newRecord = async (password: string): Promise<PasswordRecord> => ({
    phc: await hash(normalized(password), { ...cost, secret: current.derive('password-pepper') }),
    keyId: current.id,
  });
  let dummy: Promise<PasswordRecord> | undefined;

  return {
    hash: (password, by) => queue(() => newRecord(password), by),
    matches: (password, record, by) =>
      queue(async () => {
        dummy ??= newRecord(current.derive('dummy-password').toString('hex'));
        const { phc, keyId } = record ?? (await dummy);
        const secret = keyNamed(keys, keyId).derive('password-pepper');
        return (await verify(phc, normalized(password), { secret })) && record !== undefined;
      }, by),
    isOutdated: ({ phc, keyId }) => keyId !== current.id || !phc.startsWith(costMark),
    waiting: queue.waiting,
  };
}
