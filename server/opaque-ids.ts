import { createCipheriv } from 'node:crypto';
import type { Keys } from '#server/keys.ts';

// All people's rows share one counter. The distance between two rows of one reader would tell what others did meanwhile,
// for example whether a sign-up made an account. So ids leave the server through a keyed permutation of 48 bits.

type Kind = 'activity' | 'notification' | 'grant';

const HALF = 2 ** 24;
/** A Feistel network is a strong permutation from four rounds on. */
const ROUNDS = [0, 1, 2, 3, 4, 5, 6, 7] as const;

/** One block of AES per round. ECB keeps no state, so one cipher serves all calls. */
function openPermutation(key: Buffer) {
  const aes = createCipheriv('aes-256-ecb', key, null).setAutoPadding(false);
  const block = Buffer.alloc(16);
  return (round: number, half: number) => {
    block.writeUInt32BE(round, 0);
    block.writeUInt32BE(half, 4);
    return aes.update(block).readUIntBE(0, 3);
  };
}

const permutations = new WeakMap<Buffer, ReturnType<typeof openPermutation>>();
/** The oldest key, so that all processes agree while a new key is rolled out. */
function permutationOf(keys: Keys, kind: Kind) {
  const key = (keys.at(-1) ?? keys[0]).derive(`${kind}-id`);
  const permutation = permutations.get(key) ?? openPermutation(key);
  permutations.set(key, permutation);
  return permutation;
}

/** The id that clients see, from 1 to 2^48. */
export function hideId<Id extends number>(keys: Keys, kind: Kind, id: Id): Id {
  const mix = permutationOf(keys, kind);
  let [left, right] = [Math.floor(id / HALF), id % HALF];
  for (const round of ROUNDS) [left, right] = [right, left ^ mix(round, right)];
  return (left * HALF + right + 1) as Id;
}

/** The stored id. An id that the server never showed becomes a random one. */
export function revealId<Id extends number>(keys: Keys, kind: Kind, shown: Id): Id {
  const mix = permutationOf(keys, kind);
  let [left, right] = [Math.floor((shown - 1) / HALF) % HALF, (shown - 1) % HALF];
  for (const round of ROUNDS.toReversed()) [left, right] = [right ^ mix(round, left), left];
  return (left * HALF + right) as Id;
}
