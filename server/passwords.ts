import { hash, verify } from '@node-rs/argon2';
import type { Refusal } from '#contract/errors.ts';
import type { UserId } from '#contract/wire.ts';
import { boundedQueue } from './bounded-queue.ts';
import type { Config } from './config.ts';
import { type Keys, seal, unseal } from './keys.ts';

/** A stored password: its argon2id PHC string, sealed for its owner. A sign-up has no id yet, so its address owns it. */
export type SealedPassword = { readonly owner: UserId | string; readonly sealed: Uint8Array };

export const PASSWORD_SEAL = 'password';
export const sealPassword = (keys: Keys, owner: SealedPassword['owner'], phc: string): Buffer =>
  seal(keys, PASSWORD_SEAL, phc, owner);
/** The PHC string. Other products can read it, so it must never be stored or logged. */
export const openPassword = (keys: Keys, { owner, sealed }: SealedPassword): string =>
  unseal(keys, PASSWORD_SEAL, sealed, owner);

/** Whether both are the same hash. One may have been sealed anew meanwhile. */
export const isSamePassword = (keys: Keys, one: SealedPassword, other: SealedPassword) =>
  openPassword(keys, one) === openPassword(keys, other);

export type Passwords = {
  /** `by` is the network or person whose turn it takes; refuses when the queue is full. */
  hash(password: string, by: string): Promise<string | Refusal<'unavailable'>>;
  /** Compares with a stored one. Without one it does the same work and never matches, so timing reveals no account. */
  matches(
    password: string,
    stored: SealedPassword | undefined,
    by: string,
  ): Promise<boolean | Refusal<'unavailable'>>;
  /** Whether the hash has another cost, so that the next sign-in replaces it. */
  isOutdated(stored: SealedPassword): boolean;
  waiting(): number;
};

/** argon2id, the library's default: 19 MiB, two passes, one lane (OWASP's recommendation). */
const recommendedCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const QUEUE_MAX = 64;

/** Unicode forms of the same text are the same password (SP 800-63B-4 3.1.1.2). */
const normalForm = (password: string) => password.normalize('NFKC');

/** One hash per core runs and 64 wait, so a flood of sign-ins takes neither all threads nor the memory (19 MiB a hash). */
export function createPasswords(
  keys: Keys,
  config: Pick<Config, 'hashConcurrency'>,
  cost = recommendedCost,
): Passwords {
  const costMark = `$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=${cost.parallelism}$`;
  const queue = boundedQueue(config.hashConcurrency, QUEUE_MAX);
  const newHash = (password: string) => hash(normalForm(password), cost);
  const makeDummy = async (): Promise<SealedPassword> => {
    const phc = await newHash(keys[0].derive('dummy-password').toString('hex'));
    return { owner: '', sealed: sealPassword(keys, '', phc) };
  };
  let dummy: Promise<SealedPassword> | undefined;

  return {
    hash: (password, by) => queue(() => newHash(password), by),
    matches: (password, stored, by) =>
      queue(async () => {
        dummy ??= makeDummy();
        const phc = openPassword(keys, stored ?? (await dummy));
        return (await verify(phc, normalForm(password))) && stored !== undefined;
      }, by),
    isOutdated: (stored) => !openPassword(keys, stored).startsWith(costMark),
    waiting: queue.waiting,
  };
}
